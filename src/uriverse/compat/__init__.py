"""Replacements for functions of other libraries that follow the RFCs, to port programs."""

__all__: list[str] = []
__dir__ = __all__.copy
