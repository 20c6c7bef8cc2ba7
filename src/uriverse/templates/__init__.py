"""URI Templates in both directions: expand them, match URIs against them, and route URIs.

A template is a URI with variables, as in [RFC 6570](https://www.rfc-editor.org/rfc/rfc6570).

>>> from uriverse.templates import Template
>>> template = Template("https://api.example.com/users/{id}{?page}")
>>> template.expand(id="me@example.com", page=2)
URIReference('https://api.example.com/users/me%40example.com?page=2')
>>> template.match("https://api.example.com/users/7?page=2").variables
{'id': '7', 'page': '2'}
"""

from uriverse import _lazy

from ._parsing import Variable
from ._routing import Route, Router
from ._template import Match, Template

__all__ = ["Match", "Route", "Router", "Template", "Variable"]
__dir__ = __all__.copy

_lazy.publish(globals())
