"""Use the types of uriverse in other libraries: one module for each library.

These modules are loaded only if you import them explicitly. Each module raises
`ModuleNotFoundError` if its library is not installed; the message names the command that installs
it.
"""

__all__: list[str] = []
__dir__ = __all__.copy
