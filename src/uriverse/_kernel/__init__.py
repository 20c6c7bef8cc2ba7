"""The compiled kernel: a fast implementation of the algorithms in `uriverse._spec`.

The kernel imports nothing from `uriverse`: `uriverse._uri.engine` passes it tables and functions.
"""
