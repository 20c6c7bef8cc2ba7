"""The compiled kernel: a fast implementation of the algorithms in `uriverse._spec`.

It has two modules: `core`, which `uriverse._uri.engine` loads, and `columns`, which
`uriverse.columns` loads when it first needs it.
"""
