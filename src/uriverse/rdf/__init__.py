"""Expand and compact CURIEs.

>>> from uriverse.rdf import PrefixMap
>>> prefixes = PrefixMap({"foaf": "http://xmlns.com/foaf/0.1/"})
>>> prefixes.expand("foaf:name")
URI('http://xmlns.com/foaf/0.1/name')
>>> prefixes.compact("http://xmlns.com/foaf/0.1/name")
'foaf:name'
"""

from uriverse import _public_names

from ._prefixes import PrefixMap

__all__ = ["PrefixMap"]
__dir__ = __all__.copy

_public_names.publish(globals())
