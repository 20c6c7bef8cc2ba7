"""The compiled kernel: a fast implementation of the algorithms in `uriverse._spec`.

The kernel imports nothing from `uriverse`. `uriverse._uri.engine` passes tables and functions to it.
"""
