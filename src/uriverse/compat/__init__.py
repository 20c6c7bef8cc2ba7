"""The functions of other libraries with the semantics of the RFCs, to port programs."""

__all__: list[str] = []
__dir__ = __all__.copy
