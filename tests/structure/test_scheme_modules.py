import ast
import re
from pathlib import Path

import uriverse
from uriverse.schemes._descriptors import DESCRIPTORS

PACKAGE = Path(uriverse.__file__).parent
#: An installed package has no sources of the kernel.
KERNEL = Path(__file__).resolve().parents[2] / "src" / "uriverse" / "_kernel"

#: The schemes with rules of their own.
NAMES = {name for name, descriptor in DESCRIPTORS.items() if descriptor.rules is not None}

#: Strings in other modules that equal the name of a scheme but are not a scheme rule.
ALLOWED = {
    # The schemes of HTTP requests, and their defaults in ASGI.
    "http/_effective.py": {"http", "https", "ws", "wss"},
    # The default of `Policy(schemes=...)`.
    "_policy/__init__.py": {"http", "https"},
    # A sample of a URI with a host.
    "_policy/compiling.py": {"https"},
    # The scheme that hints about rules suggest.
    "_policy/rules.py": {"https"},
    # The schemes of resources and of redirect URIs, and those that browsers may execute.
    "oauth.py": {"blob", "data", "http", "https", "javascript"},
    # Deny rules for URIs with TLS that do not match those without, and the scheme of samples.
    "_policy/review.py": {"http", "https", "ws", "wss"},
    # The schemes of connections with and without TLS.
    "dial/_gate.py": {"http", "https"},
    # The scheme that hints suggest, one without percent-encoding, and schemes guessed from a host
    # without a scheme.
    "_spec/messages.py": {"https", "tel"},
    "_cli/getting.py": {"http", "ftp", "ldap"},
    # Web URLs, which are also extracted if they are invalid.
    "diagnosis/_extraction.py": {"https"},
    # Examples in the documentation.
    "columns/_edits.py": {"https", "tag"},
    # The name of the class, in lowercase.
    "__init__.py": {"urn"},
    "_cli/lines.py": {"file"},
    "_cli/checking.py": {"file"},
    "_cli/sql.py": {"file"},
}


def names_in(source: str) -> set[str]:
    """Return the scheme names that a source contains, to compare or look up.

    These are whole strings, and the parts at the start of f-strings that end with the colon.
    """
    tree, found = ast.parse(source), set()
    parts: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts.update(node.values)
            first = node.values[0] if node.values else None
            if isinstance(first, ast.Constant) and ":" in str(first.value):
                found.add(str(first.value).partition(":")[0].lower())
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            found.add(re.sub(r":(//)?$", "", node.value).lower())
    return found & NAMES


def test_other_modules_contain_no_scheme_names() -> None:
    for path in PACKAGE.rglob("*.py"):
        inside = path.relative_to(PACKAGE)
        if not {"schemes", "_typed", "testing", "grammar"} & {*inside.parts}:
            allowed = ALLOWED.get(inside.as_posix(), set())
            assert names_in(path.read_text("utf-8")) == allowed, inside


def test_a_scheme_name_is_detected_in_any_notation() -> None:
    for source, names in [
        *(('if scheme == "mailto": ...', {"mailto"}), ('x = {"urn": 1}', {"urn"})),
        *(('text.startswith("file://")', {"file"}), ('"TEL:"', {"tel"})),
        *(('f"file://{host}"', {"file"}), ('f"data:text/plain,{text}"', {"data"})),
        *(('f"{name}data"', set()), ('f"{data}:"', set()), ('f"data{number}"', set())),
        *(('f"{a}" "file"', set()), ("f'{a[\"urn\"]}'", {"urn"}), ('f""', set())),
    ]:
        assert names_in(source) == names


def test_the_kernel_has_scheme_rules_in_one_file_only() -> None:
    defined = (
        r"(?:cdef|def) .*\b(?:is_web|is_file|load_schemes|find_scheme_rules|apply_rules)\(.*:$"
    )
    defining = {
        path.name
        for path in KERNEL.glob("*.p*")
        if re.search(defined, path.read_text("utf-8"), re.MULTILINE)
    }
    assert defining == {"schemes.pxi"}
