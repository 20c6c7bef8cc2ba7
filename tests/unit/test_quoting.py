import traceback
from collections.abc import Callable
from typing import Any

import pytest

from uriverse import HTTPURI, URI, Params, Policy, check, columns, hosts, percent, repair
from uriverse._errors import quote_argument
from uriverse._spec.domain import to_ascii
from uriverse.http import ForwardedElement, client_request
from uriverse.integrations.constraints import Constraints
from uriverse.schemes import Scheme

#: A URL that a program passes to the wrong parameter.
URL: Any = "https://svc:Hunter2@db/"

#: Parts of such URLs. Tracebacks show lines of this file, so only these lines have the password.
NAME, NUMBER, UNICODE = "svc:Hunter2@db", "https://svc:Hunter2@db.1", "svc:Hunter2@bücher.example"

HTTP = HTTPURI("https://a.example/")

MISTAKES: dict[str, Callable[[], object]] = {
    "a scheme of a policy": lambda: Policy(schemes={URL}),
    "a host of a policy": lambda: Policy(allow={URL}),
    "a host of a policy with a number": lambda: Policy(allow={NUMBER}),
    "a denied host": lambda: Policy(deny={URL}),
    "a denied name": lambda: Policy(deny={NAME}),
    "a scope of a policy": lambda: Policy(scopes={URL}),
    "a code of a policy": lambda: Policy(allowed={URL}),
    "a host for redirects": lambda: Policy.for_redirects("https://a.example/", allow={URL}),
    "a profile": lambda: check("a:b", URL),
    "a code": lambda: check("a:b", severities={URL: "off"}),
    "a severity": lambda: check("a:b", severities={"syntax": URL}),
    "a level": lambda: HTTP.equivalent("a:b", level=URL),
    "a mapping as level": lambda: HTTP.comparison_key({"level": URL}),  # type: ignore[arg-type]
    "bytes as level": lambda: HTTP.comparison_key(URL.encode()),
    "dot segments": lambda: HTTP.normalize(dot_segments=URL),
    "a kind of host": lambda: HTTP.to_uri(host=URL),
    "a parameter": lambda: HTTP.update_params({URL: True}),
    "a form": lambda: HTTP.request_target(URL),
    "a codec": lambda: Params("a").with_codec(codec=URL),
    "a separator": lambda: Params("a").with_codec(separator=URL),
    "a zone": lambda: hosts.ip("[::1]", zone=URL),
    "a component": lambda: percent.encode("a", URL),
    "an error handler": lambda: percent.decode("a", errors=URL),
    "a scheme to add": lambda: repair("a", scheme=URL),
    "the name of a scheme": lambda: Scheme(name=URL),
    "the default port of a scheme": lambda: Scheme(name="a", default_port=URL),
    "a flag of a scheme": lambda: Scheme(name="a", domain=URL),
    "a layout": lambda: columns.host(["a:b"], layout=URL),
    "threads": lambda: columns.host(["a:b"], threads=URL),
    "a grammar": lambda: columns.is_valid(["a:b"], grammar=URL),
    "a list of fields": lambda: columns.parse(["a:b"], fields=URL),
    "a field": lambda: columns.parse(["a:b"], fields=[URL]),
    "a scheme of columns": lambda: columns.repair(["a"], scheme=URL),
    "the profile of a constraint": lambda: Constraints(profile=URL),
    "an extension": lambda: ForwardedElement(extensions=((URL, "a"),)),
    "a peer": lambda: client_request(URL, [], scheme="http", host="a"),
    "a network": lambda: client_request(None, [], scheme="http", host="a", networks=[URL]),
    "a domain": lambda: to_ascii(UNICODE),
    "a domain in ASCII": lambda: to_ascii(NAME),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_the_traceback_for_a_wrong_argument_does_not_contain_its_password(
    mistake: Callable[[], object],
) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        mistake()
    assert "REDACTED" in str(caught.value)
    assert "hunter2" not in "".join(traceback.format_exception(caught.value)).lower()


def test_other_arguments_are_quoted_as_repr_shows_them() -> None:
    for argument in ("a\nb", b"a", 1, None, ["a"], URI("a:b")):
        assert quote_argument(argument) == repr(argument)
