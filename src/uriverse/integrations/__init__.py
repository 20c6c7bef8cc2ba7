"""Use the types of uriverse in other libraries: one module for each library.

Nothing imports these modules unless you import them by name. Each module raises
`ModuleNotFoundError` if its library is not installed; the message names the command that installs
it.
"""
