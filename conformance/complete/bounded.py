"""Compare operations with the algorithms of RFC 3986 for all short paths, ports and triplets.

The algorithms stand here as the RFC writes them. uriverse departs from them in one point, which
`shield` adds: without an authority, "/." precedes a path that starts with "//", because it would be
parsed as an authority (3.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from string import ascii_letters, digits
from typing import NamedTuple, TypeVar

from uriverse import URI, BuildError, IRIReference, URIError, URIReference, columns, percent
from uriverse._spec import normalization, relative, resolution
from uriverse._spec.components import Parts, compose, split
from uriverse._uri import engine

from .acceptors import find_bounds

T = TypeVar("T")

#: The letters of all paths.
LETTERS = (".", "/", "a", ":", "%2E")

#: The number of rows of a column.
ROWS = 1 << 13


class Case(NamedTuple):
    """An input, the expected result, and the results of uriverse, which must be equal."""

    input: object
    expected: object
    results: tuple[object, ...]

    @property
    def is_right(self) -> bool:
        return all(result == self.expected for result in self.results)


def list_paths(longest: int, name: str = "a") -> list[str]:
    """List all paths of up to a number of letters; `name` replaces the letter "a"."""
    letters = [name if letter == "a" else letter for letter in LETTERS]
    return ["".join(word) for n in range(longest + 1) for word in product(letters, repeat=n)]


def is_path(scheme: str | None, authority: str | None, path: str) -> bool:
    """Return whether a path can follow a scheme and an authority (RFC 3986, 3.3)."""
    if authority is not None:
        return path == "" or path.startswith("/")
    return not path.startswith("//") and not (scheme is None and ":" in path.partition("/")[0])


# --- the algorithms of the RFC


def remove_dot_segments(path: str) -> str:
    """RFC 3986, 5.2.4, with its input buffer and its output buffer."""
    output = ""
    while path:
        if path.startswith(("../", "./")):  # A
            path = path[path.index("/") + 1 :]
        elif path.startswith("/./"):  # B
            path = path[2:]
        elif path == "/.":
            path = "/"
        elif path.startswith("/../"):  # C
            path = path[3:]
            output = output[: output.rfind("/")] if "/" in output else ""
        elif path == "/..":
            path = "/"
            output = output[: output.rfind("/")] if "/" in output else ""
        elif path in (".", ".."):  # D
            path = ""
        else:  # E
            end = path.find("/", 1)
            end = len(path) if end < 0 else end
            output += path[:end]
            path = path[end:]
    return output


def merge(base: Parts, path: str) -> str:
    """RFC 3986, 5.2.3."""
    if base.authority is not None and base.path == "":
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def shield(target: Parts) -> Parts:
    is_ambiguous = target.authority is None and target.path.startswith("//")
    return target._replace(path=f"/.{target.path}") if is_ambiguous else target


def resolve(base: Parts, reference: Parts, *, strict: bool = True) -> Parts:
    """RFC 3986, 5.2.2."""
    scheme, authority, path, query, fragment = reference
    if not strict and scheme is not None and scheme.lower() == str(base.scheme).lower():
        scheme = None
    if scheme is not None:
        target = Parts(scheme, authority, remove_dot_segments(path), query, fragment)
    elif authority is not None:
        target = Parts(base.scheme, authority, remove_dot_segments(path), query, fragment)
    elif path == "":
        query = query if query is not None else base.query
        target = Parts(base.scheme, base.authority, base.path, query, fragment)
    else:
        path = path if path.startswith("/") else merge(base, path)
        path = remove_dot_segments(path)
        target = Parts(base.scheme, base.authority, path, query, fragment)
    return shield(target)


def normalize(parts: Parts, *, dot_segments: object = True) -> Parts:
    """RFC 3986, 6.2.2: decode dots, then remove dot segments from a path that starts with a slash.

    Relative references keep their dot segments, also the encoded ones.
    """
    segments = parts.path.split("/")
    if parts.scheme is None:
        kept = {".", ".."}
        decoded = [segment.replace("%2E", ".") for segment in segments]
        pairs = zip(segments, decoded, strict=True)
        path = "/".join(segment if new in kept else new for segment, new in pairs)
        return parts._replace(path=path)
    path = parts.path.replace("%2E", ".")
    if path.startswith("/") or dot_segments == "all":
        path = remove_dot_segments(path)
    return shield(parts._replace(path=path))


# --- the operations of uriverse


def write(value: IRIReference) -> str | None:
    """Return the string of a value; `None` if its bounds are not those of the string."""
    text = str(value)
    return text if (*engine.get_bounds(value), len(text)) == find_bounds(text) else None


def batch(items: Iterable[T]) -> Iterator[list[T]]:
    chunk = []
    for item in items:
        chunk.append(item)
        if len(chunk) == ROWS:
            yield chunk
            chunk = []
    yield chunk


def list_references(longest: int, name: str = "a") -> Iterator[Parts]:
    """Yield all paths after a scheme, after an authority, after both, and alone."""
    for scheme, authority in product((None, "s"), (None, "h")):
        for path in list_paths(longest, name):
            if is_path(scheme, authority, path):
                yield Parts(scheme, authority, path, None, None)


def check_dot_segments(longest: int, name: str = "a") -> Iterator[Case]:
    base, resolver = Parts("b", "c", "/d", None, None), URI("b://c/d")
    for path in list_paths(longest, name):
        expected = remove_dot_segments(path)
        yield Case(path, expected, (resolution.remove_dot_segments(path),))
    for chunk in batch(parts for parts in list_references(longest, name) if parts.scheme):
        texts = [compose(*parts) for parts in chunk]
        rows = columns.resolve("b://c/d", texts).to_pylist()
        for parts, text, row in zip(chunk, texts, rows, strict=True):
            expected = compose(*resolve(base, parts))
            yield Case(text, expected, (row, write(resolver.resolve(text))))


def check_normalizing(longest: int) -> Iterator[Case]:
    for setting, chunk in product((True, "all"), batch(list_references(longest))):
        texts = [compose(*parts) for parts in chunk]
        rows = columns.normalize(texts, dot_segments=setting).to_pylist()  # type: ignore[arg-type]
        steps = normalization.Steps(dot_segments=setting)  # type: ignore[arg-type]
        for parts, text, row in zip(chunk, texts, rows, strict=True):
            expected = compose(*normalize(parts, dot_segments=setting))
            by_reference = normalization.normalize_syntax(text, steps, iri=False)
            value = URIReference(text).normalize(dot_segments=setting)  # type: ignore[arg-type]
            yield Case((text, setting), expected, (row, by_reference, write(value)))


def resolve_pairs(pairs: Iterable[tuple[Parts, Parts]], *, strict: bool = True) -> Iterator[Case]:
    for chunk in batch(pairs):
        bases = [compose(*base) for base, _ in chunk]
        references = [compose(*reference) for _, reference in chunk]
        rows = columns.resolve(bases, references, strict=strict).to_pylist()
        for (base, reference), text, other, row in zip(chunk, bases, references, rows, strict=True):
            expected = resolve(base, reference, strict=strict)
            by_reference = resolution.resolve_parts(base, reference, strict=strict)
            value = write(URI(text).resolve(other, strict=strict))
            results = (Parts(*by_reference), split(row), value and split(value))
            yield Case((text, other, strict), expected, results)


def check_resolving(longest: int, name: str = "a") -> Iterator[Case]:
    bases = [parts for parts in list_references(longest, name) if parts.scheme]
    references = [parts for parts in list_references(longest, name) if not parts.scheme]
    yield from resolve_pairs(product(bases, references))


def check_components(longest: int) -> Iterator[Case]:
    """Resolve references with all combinations of components."""
    some = list_paths(longest)
    bases = [
        Parts("s", *rest)
        for rest in product((None, "", "h"), some, (None, "", "q"), (None, "f"))
        if is_path("s", *rest[:2])
    ]
    fragments = (None, "", "e")
    references = [
        Parts(*parts)
        for parts in product((None, "S", "t"), (None, "", "g"), some, (None, "", "r"), fragments)
        if is_path(*parts[:3])
    ]
    for strict in (True, False):
        yield from resolve_pairs(product(bases, references), strict=strict)


def check_relativizing(longest: int, name: str = "a") -> Iterator[Case]:
    """Relativize all pairs: the result resolves to the target, and is one of the shortest."""
    values = [parts for parts in list_references(longest, name) if parts.scheme]
    others = [parts for parts in list_references(longest, name) if not parts.scheme]
    for base in values:
        text = compose(*base)
        shortest: dict[Parts, int] = {}
        for reference in (*others, *values):
            target = resolve(base, reference)
            length = len(compose(*reference))
            shortest[target] = min(length, shortest.get(target, length))
        targets = [compose(*target) for target in values]
        rows = columns.relativize(targets, text).to_pylist()
        for target, target_text, row in zip(values, targets, rows, strict=True):
            by_reference = relative.find_shortest_reference(target, base, walk_up=True)
            yield Case((text, target_text), row, (by_reference, relativize_one(target_text, text)))
            if row is not None:
                yield Case((text, target_text, row), target, (resolve(base, split(row)),))
            limit = shortest.get(target)
            is_shortest = limit is None or (row is not None and len(row) <= limit)
            yield Case((text, target_text, row, limit), True, (is_shortest,))


def check_long_names(longest: int) -> Iterator[Case]:
    """Do the same with a segment that is longer than a block of SIMD code, and than a word."""
    for name in ("a" * 67, "a" * 9):
        for check in (check_dot_segments, check_resolving, check_relativizing):
            yield from check(longest, name)


def relativize_one(target: str, base: str) -> str | None:
    try:
        return write(URI(target).relative_to(base))
    except URIError:
        return None


def check_edits(longest: int) -> Iterator[Case]:
    for parts in list_references(longest):
        path, has_host = parts.path, parts.authority is not None
        value = URIReference(compose(*parts))
        directory = path[: path.rfind("/") + 1] or "/" * has_host

        def change(new: str, parts: Parts = parts) -> str:
            return compose(*parts._replace(path=new))

        last = path.rpartition("/")[2].replace("%2E", ".")
        yield Case((value, "name"), last, (value.name,))
        raw = tuple(path.split("/")) if path else ()
        yield Case((value, "segments"), raw, (value.segments.raw,))
        up = path if path in ("", "/") else path.rpartition("/")[0] or "/" * path.startswith("/")
        yield Case((value, "parent"), change(up), (write(value.parent),))
        yield Case((value, "with_name"), change(directory + "b"), (write(value.with_name("b")),))
        before = path if path.endswith("/") or not (path or has_host) else f"{path}/"
        colon = "%3A" if not before and parts.scheme is None else ":"
        joined = write(value.joinpath("b", ".%"))
        yield Case((value, "joinpath"), change(f"{before}b/.%25"), (joined,))
        yield Case((value, "/"), change(before + colon), (write(value / ":"),))
    for scheme, authority in product((None, "s"), (None, "h")):
        value = URIReference(compose(scheme, authority, "", "q", None))
        for path in list_paths(longest):
            parts = Parts(scheme, authority, path, "q", None)
            is_valid = is_path(scheme, authority, path)
            expected = compose(*parts) if is_valid else None
            yield Case((value, path), expected, (replace_path(value, path),))
            if authority is None and path.startswith("//"):
                parts = shield(parts)
            elif not is_valid and authority is None:
                parts = parts._replace(path=f"./{path}")
            expected = compose(*parts) if is_path(*parts[:3]) else None
            results = (replace_path(value, path, protect_path=True),)
            yield Case((value, path, "protect_path"), expected, results)


def replace_path(value: IRIReference, path: str, *, protect_path: bool = False) -> str | None:
    try:
        return write(value.with_path(path, protect_path=protect_path))
    except BuildError:
        return None


# --- triplets and ports


def check_octets(longest: int) -> Iterator[Case]:
    """Decode all sequences of a number of octets."""
    unreserved = {*ascii_letters, *digits, *"-._~"}
    for octets in batch(product(range(256), repeat=longest)):
        texts = ["".join([f"%{i:02x}" for i in pair]) for pair in octets]
        rows = columns.decode(texts).to_pylist()
        normal = columns.normalize([f"s:a{text}" for text in texts]).to_pylist()
        for pair, text, row, form in zip(octets, texts, rows, normal, strict=True):
            expected = bytes(pair).decode("utf-8", "surrogateescape")
            yield Case(text, expected, (percent.decode(text, "surrogateescape"),))
            in_utf8 = None if any("\ud800" <= c <= "\udfff" for c in expected) else expected
            yield Case((text, "column"), in_utf8, (row,))
            simple = "".join(chr(i) if chr(i) in unreserved else f"%{i:02X}" for i in pair)
            results = (form, str(URI(f"s:a{text}").normalize()))
            yield Case((text, "normalize"), f"s:a{simple}", results)


def check_ports(longest: int) -> Iterator[Case]:
    """Read all ports of up to a number of digits."""
    words = (word for n in range(longest + 1) for word in product(digits, repeat=n))
    for chunk in batch(map("".join, words)):
        rows = columns.port([f"s://h:{port}" for port in chunk]).to_pylist()
        for port, row in zip(chunk, rows, strict=True):
            expected = int(port) if port else None
            yield Case(port, expected, (row, URI(f"s://h:{port}").port))


#: The longest inputs of each check: in the tests, and of the command with `--all`.
LIMITS: dict[Callable[[int], Iterator[Case]], tuple[int, int]] = {
    check_dot_segments: (7, 9),
    check_normalizing: (6, 8),
    check_resolving: (3, 4),
    check_components: (1, 2),
    check_relativizing: (3, 4),
    check_long_names: (3, 4),
    check_edits: (6, 8),
    check_octets: (2, 2),
    check_ports: (5, 6),
}
