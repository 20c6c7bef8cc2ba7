"""The compiled kernel: the algorithms of `uriverse._spec` at native speed.

The kernel imports nothing from `uriverse`. `uriverse._engine` passes tables and functions to it.
"""
