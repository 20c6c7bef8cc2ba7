"""Generate columns of realistic URIs from a seed, with the same rows on every computer."""

from random import Random
from typing import Any, get_args

from uriverse import Policy
from uriverse.columns._registry import FUNCTIONS
from uriverse.templates import Router, Template
from uriverse.typing import Field

SCHEMES = ("http", "https", "HTTP", "ftp", "ws")
HOSTS = (
    *("example.org", "www.Example.COM", "bücher.example", "例え.テスト"),
    *("127.0.0.1", "[2001:DB8::1]"),
    *("a%C3%A9b.example", ""),
)
USERS = ("", "", "", "me@", "me:secret@", "@")
PORTS = ("", "", "", ":", ":80", ":443", ":08080", ":99999999999999999999")
SEGMENTS = ("", "a", "b.html", ".", "..", "%7Euser", "caf%C3%A9", "café", "a:b", "%2f", "x" * 40)
QUERIES = ("", "", "?", "?a=1&b", "?q=a+b&q=%C3%A9", "?ü=1", "?%FF=%00")
FRAGMENTS = ("", "", "#", "#top", "#ß")
OTHERS = ("urn:isbn:0451450523", "mailto:me@example.org", "tel:+1-816-555-1212", "data:,a%20b", "")

#: Strings that are invalid, each for another reason.
WRONG = (
    *("http://a b/", "http://[::1", "http://a:b/", "a\\b", "%zz", "1:a:b", "日本 語", "a\0b", "é<"),
)

#: Rows of which many libraries read some wrongly, and null.
HOSTILE: list[str | None] = [
    *("http://www.Example.org:80/a/../caf%C3%A9?q=1&r#s", None, "", "a b"),
    *("http://user:geheim@[2001:DB8:0:0:0:0:0:1]:8443/%7Ea?q=%FF", "http://[fe80::1%25eth0]/"),
    *("http://[::ffff:10.0.0.1]/", "HTTP://bücher.example/ü?name=ß&leer", "//例え.テスト/\u202e"),
    *("http://%E2%98%83.example/%2e%2E/%zz", "http://h:99999999999999999999/"),
    *("http://0x7f.1/?a=1&b&a=2&%61=3", "http://evil.example\\@good.example/"),
    *("urn:isbn:0451450523", "data:text/plain,a/../b", "../d?x=%20+y&utm_id=%00"),
    *("//host/with\x00nul", "?&=&a==&&", "http:", "http://a.b.example.co.uk/index.tar.gz"),
    "\U0001f600",
]

#: A base of all rows, or another URI.
BASE = "http://www.example.org/b/c?d"

#: The column functions that need no argument except one column.
OF_ONE_COLUMN = tuple(
    name
    for name, function in FUNCTIONS.items()
    if not function.second and not any(option.required for option in function.options)
)

#: A policy that allows some of the URIs in tests.
POLICY = Policy(
    allow=["*.example.org", "https://api.example.com/v1/", "https://*.example/*.html", "http://h"],
    deny=["https://api.example.com/v1/admin"],
)

#: A template that matches some of the URIs in tests.
TEMPLATE = Template(
    "http://{host}/{name}{?a,b*}", types={"a": int, "b": dict}, allow={"dots", "empty"}
)

#: Routes for some of the URIs in tests.
ROUTER = Router({"page": "http://{host}/{name}", "any": "{+uri}", "path": "/{name}"})

#: The arguments of each function of one column, with most options set.
EVERY_CALL: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    **{name: ((), {}) for name in OF_ONE_COLUMN},
    "parse": (("uri",), {"fields": get_args(Field)}),
    "is_valid": (("absolute-iri",), {}),
    "normalize": (
        (),
        dict.fromkeys(("case", "percent_encoding", "dot_segments", "ipv6"), False)
        | {"scheme": True},
    ),
    "to_uri": ((), {"host": "idna"}),
    "to_iri": ((), {"host": "idna"}),
    "repair": ((), {"slashes": True}),
    "redact": ((), {"usernames": True}),
    "encode": (("segment",), {"iri": True}),
    "decode": (("keep",), {}),
    "query_param": (("b",), {}),
    "findings": (("web",), {}),
    "fingerprint": (("scheme",), {}),
    "allowed": ((POLICY,), {}),
    "decision": ((POLICY,), {}),
    "match": ((TEMPLATE,), {}),
    "route": ((ROUTER,), {}),
    "without_params": ((["a", "\xfc"],), {}),
    "filter_params": ((), {"keep": ["*a*", "q"], "drop": "a"}),
    "with_param": (("q", ["x", "\xe9 &"]), {}),
    "add_param": (("\xfc", None), {}),
    "with_scheme": (("https",), {}),
    "with_host": (("::1",), {}),
    "with_port": ((8080,), {}),
    "param_values": (("q",), {}),
    "is_flagged": (("web",), {}),
}

#: The functions that take two columns.
OF_TWO_COLUMNS = {name for name, function in FUNCTIONS.items() if function.second}


def table(rows: int, seed: int) -> list[str | None]:
    """Return a column with the given number of rows: about 2 % are invalid, and 3 % are null."""
    random = Random(seed)
    return [row(random) for _ in range(rows)]


def row(random: Random) -> str | None:
    kind = random.random()
    if kind < 0.02:
        return random.choice(WRONG)
    if kind < 0.05:
        return None
    if kind < 0.10:
        return random.choice(OTHERS)
    path = "".join("/" + random.choice(SEGMENTS) for _ in range(random.randrange(4)))
    behind = random.choice(QUERIES) + random.choice(FRAGMENTS)
    if kind < 0.20:
        # A relative reference.
        return path.replace("//", "/") + behind
    authority = random.choice(USERS) + random.choice(HOSTS) + random.choice(PORTS)
    return f"{random.choice(SCHEMES)}://{authority}{path}{behind}"
