"""Public suffixes and registrable domains, from the Public Suffix List.

A public suffix is a domain under which people can register names, such as `com`, `co.uk` or
`github.io`. The registrable domain of a host is its public suffix and one more label.
[The list](https://publicsuffix.org) comes from the package `publicsuffixlist`, or from your own
file. Nothing is downloaded.

>>> from uriverse.suffixes import Suffixes
>>> suffixes = Suffixes()
>>> suffixes.registrable_domain("www.example.co.uk")
'example.co.uk'
"""

from uriverse import _public_names

from ._suffixes import Suffixes

__all__ = ["Suffixes"]
__dir__ = __all__.copy

_public_names.publish(globals())
