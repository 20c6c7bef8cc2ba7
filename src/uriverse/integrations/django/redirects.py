"""Check that redirect targets, such as the value of the parameter `next`, are safe."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.utils.encoding import escape_uri_path

from uriverse import URI, Policy
from uriverse._errors import PolicyError

if TYPE_CHECKING:
    from django.http import HttpRequest

__all__ = ["next_url"]
__dir__ = __all__.copy


def next_url(
    request: HttpRequest, *, name: str = "next", default: str = "/", hosts: Collection[str] = ()
) -> str:
    """Return the redirect target given in a request parameter if it is safe, else the default.

    A target is safe if it is on the host of the request, with the same scheme and port, and if all
    programs parse it in the same way: `Policy.for_redirects` decides. Use this function instead of
    `django.utils.http.url_has_allowed_host_and_scheme`, and redirect to its result.

    Args:
        request: the request. A parameter of `POST` has priority over one of the query.
        name: the name of the parameter.
        default: the result if the parameter is missing, empty or unsafe. It is not checked.
        hosts: more hosts to allow; the scheme and the port must match those of the request.
            An entry such as `"*.example.org"` allows all names below `example.org`.

    Returns:
        The path, query and fragment of a target on the host of the request, so that the redirect
        also works behind a proxy; the URI of a target on another host; or `default`.

    Raises:
        django.core.exceptions.DisallowedHost: the host of the request is not allowed.
        ValueError: an entry of `hosts` is invalid.

    >>> from django.test import RequestFactory
    >>> request = RequestFactory().get("/login/", {"next": "/account/?tab=2"})
    >>> next_url(request)
    '/account/?tab=2'
    >>> request = RequestFactory().get("/login/", {"next": "https://evil.example/"})
    >>> next_url(request, default="/home/")
    '/home/'
    """
    target = request.POST.get(name) or request.GET.get(name)
    if not target:
        return default
    origin = f"{request.scheme}://{request.get_host()}"
    # The path of the page matters only to references that do not start with a slash.
    page = origin + (escape_uri_path(request.path) if target[0] != "/" else "/")
    try:
        policy = Policy.for_redirects(page, hosts)
        uri = policy.enforce(target)
    except PolicyError:
        return default
    # The policy rejects paths that start with "//", which browsers would read as a host.
    return str(uri.relative_form() if uri.host == URI(policy.base or page).host else uri)
