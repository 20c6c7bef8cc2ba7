"""The commands that edit the destinations in documents, and nothing else."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from errno import EINVAL
from fnmatch import fnmatchcase
from functools import lru_cache, partial
from typing import Any, NamedTuple

from uriverse import (
    BuildError,
    ConvertError,
    IRIReference,
    Params,
    Resolver,
    URIError,
    URIReference,
    parse,
    percent,
    repair,
)
from uriverse.typing import Component
from uriverse_links._links import Link, edits, resolve_destination

from .document_files import Document, Documents
from .options import COMPONENTS, parse_argument, parse_base, reword_hint
from .output import (
    MisuseError,
    Tally,
    UnreadableError,
    describe_os_error,
    escape_controls,
    print_error,
)
from .rewriting import Pairs, Rewriting
from .strings_in_files import has_placeholder

#: The value that removes a component. Write %2D for a hyphen.
NOTHING = "-"

#: For each component, the argument of `percent.encode` that encodes data for the component. Schemes
#: and ports are never encoded.
ENCODINGS: dict[str, Component] = {
    "userinfo": "userinfo",
    "username": "unreserved",
    "password": "unreserved",
    "host": "reg-name",
    "path": "path",
    "query": "query",
    "fragment": "fragment",
}

#: The value of `--set`: COMPONENT=DATA, COMPONENT:=VALUE or COMPONENT?=DATA.
SETTING = re.compile(r"(\w+)((?!::|\?\?)[:?]{0,2})=([\s\S]*)")


class NotAcceptedError(ConvertError):
    """The error for a URI whose host or scheme is not accepted."""


class Setting(NamedTuple):
    """A value of `--set`, such as `host=example.org`; an empty text removes the component."""

    component: str
    is_encoded: bool
    if_undefined: bool
    text: str

    @classmethod
    def parse(cls, text: str) -> Setting:
        match = SETTING.fullmatch(text)
        if match is None:
            raise MisuseError(
                f"invalid setting {text!r}; "
                "write COMPONENT=DATA, COMPONENT:=VALUE or COMPONENT?=DATA"
            )
        if match[1] not in COMPONENTS:
            known = ", ".join(COMPONENTS)
            raise MisuseError(f"unknown component {match[1]!r}; the components are {known}")
        return cls(match[1], ":" in match[2], "?" in match[2], match[3])

    def encode(self, host: str | None) -> str | None:
        """Return the percent-encoded value, or `None` to remove the component.

        After a host, a path gets a leading slash.
        """
        if not self.text:
            # A path can be empty, but not undefined.
            return "" if self.component == "path" else None
        # Encoding the colons of an IPv6 address would turn the address into a name.
        is_ip_literal = self.component == "host" and (self.text[0] == "[" or ":" in self.text)
        if self.is_encoded or is_ip_literal or self.component not in ENCODINGS:
            return self.text
        encoded_text = percent.encode(self.text, ENCODINGS[self.component])
        if self.component == "path" and host is not None and not encoded_text.startswith("/"):
            return f"/{encoded_text}"
        return encoded_text


class ComponentEdit:
    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.hosts = [lower_ascii(host) for host in options.accept_host]
        self.schemes = [lower_ascii(scheme) for scheme in options.accept_scheme]
        self.settings = [Setting.parse(text) for text in options.set]
        #: The components that have an option of their own; `None` removes one.
        self.parts: dict[str, Any] = {}
        for name in COMPONENTS:
            text = getattr(options, name)
            if text is not None:
                check_component(name, text)
                self.parts[name] = None if text == NOTHING else text
        if "path" in self.parts:
            self.parts["path"] = self.parts["path"] or ""
        names = [*self.parts, *(setting.component for setting in self.settings)]
        for name in names:
            if names.count(name) > 1:
                raise MisuseError(f"{name} is set more than once; set it once")
        if "userinfo" in names and {"username", "password"} & set(names):
            raise MisuseError(
                "userinfo contradicts username and password; set userinfo, or username and password"
            )
        encoded = (setting.text for setting in self.settings if setting.is_encoded)
        self.in_ascii = all(
            text is None or text.isascii() for text in (*self.parts.values(), *encoded)
        )
        self.segments, self.added_params = parse_additions(options.append)
        self.added_params = [*map(parse_pair, options.query_add), *self.added_params]
        self.replaced_params = [parse_pair(text) for text in options.query_replace]
        self.updated_params = [parse_pair(text) for text in options.query_set]
        self.query_options: dict[str, Any] = {
            "codec": options.codec or "form",
            "separator": options.query_separator or "&",
        }
        self.edits_query = options.sort_query or any(
            (
                options.query_drop,
                options.query_keep,
                self.replaced_params,
                self.updated_params,
                self.added_params,
            )
        )

    def __call__(self, text: str) -> IRIReference:
        uri = self.require_accepted(parse(text))
        if self.options.redirect is not None:
            uri = uri.resolve(IRIReference(self.options.redirect))
        # Edits may add or remove the scheme, so convert the URI to a reference type. If all values
        # are ASCII, `URIReference` ensures that the result is ASCII too.
        is_ascii = self.in_ascii and str(uri).isascii()
        uri = (URIReference if is_ascii else IRIReference)(uri)
        if self.parts or self.settings:
            uri = self.set_components(uri)
        for segment in self.segments:
            uri = uri.joinpath(segment)
        if self.edits_query:
            uri = uri.with_params(self.edit_params(uri.params.with_codec(**self.query_options)))
        if self.options.normalize:
            uri = uri.normalize()
        if self.options.default_port and not uri.port_text and uri.effective_port is not None:
            uri = uri.with_port(uri.effective_port)
        if self.options.punycode and uri.host and uri.host_kind == "reg-name":
            uri = IRIReference(uri).with_host(uri.to_uri(host="idna").host)
        return uri

    def require_accepted(self, uri: IRIReference) -> IRIReference:
        """Return the URI; raise an error if `--accept-host` or `--accept-scheme` excludes it."""
        host = uri.hostname or ""
        # In a glob, the brackets of an IPv6 address would be a set of characters.
        if self.hosts and not any(
            glob in {host, uri.host} or fnmatchcase(host, glob) for glob in self.hosts
        ):
            reason = escape_controls(f"the host does not match {' or '.join(self.hosts)}")
            raise NotAcceptedError(str(uri), 0, "host", "host", reason)
        if self.schemes and (uri.scheme or "").lower() not in self.schemes:
            reason = escape_controls(f"the scheme is not {' or '.join(self.schemes)}")
            raise NotAcceptedError(str(uri), 0, "scheme", "scheme", reason)
        return uri

    def set_components(self, uri: IRIReference) -> IRIReference:
        """Apply the options that set a component, such as `--host`, and then those of `--set`."""
        changes = dict(self.parts)
        settings = [
            setting
            for setting in self.settings
            if not (setting.if_undefined and has_component(uri, setting.component))
        ]
        # A path after a host needs a leading slash, and the host may be set after the path.
        hosts = [setting.text or None for setting in settings if setting.component == "host"]
        host = hosts[0] if hosts else changes.get("host", uri.host)
        changes |= {setting.component: setting.encode(host) for setting in settings}
        if changes.keys() & {"username", "password"}:
            username, password = split_userinfo(uri)
            changes["userinfo"] = join_userinfo(
                changes.pop("username", username), changes.pop("password", password)
            )
        return uri.replace(**changes)

    def edit_params(self, params: Params) -> Params:
        options = self.options
        if options.query_drop or options.query_keep:
            params = params.filter(keep=options.query_keep or "*", drop=options.query_drop)
        for name, data in self.replaced_params:
            if "*" in name or "?" in name:
                params = self.replace_values(params, name, data)
            elif name in params:
                params = params.updated([(name, data)])
        if self.updated_params:
            params = params.updated(self.updated_params)
        for name, data in self.added_params:
            params = params.add_param(name, data)
        return params.sorted() if options.sort_query else params

    def replace_values(self, params: Params, name_pattern: str, data: str | None) -> Params:
        """Change the values of matching parameters, and no other character of the query."""
        if params.query is None:
            return params
        # The equals sign and the encoded value.
        ending = str(Params(**self.query_options).add_param("a", data)).removeprefix("a")
        decoded_names = (name for name, _ in params.items())
        separator = self.query_options["separator"]
        pieces = params.query.split(separator)
        for index, piece in enumerate(pieces):
            # Between two separators, there may be no parameter.
            if piece and fnmatchcase(next(decoded_names), name_pattern):
                encoded_name = piece.partition("=")[0]
                pieces[index] = encoded_name + ending
        return Params(separator.join(pieces), **self.query_options)


def lower_ascii(text: str) -> str:
    """Convert only ASCII letters to lower case; `str.lower` would convert U+212A to "k"."""
    return text.encode(errors="surrogatepass").lower().decode(errors="surrogatepass")


def check_component(name: str, text: str) -> None:
    """Report a value that no URI can have, such as `--host 'a b'`, as a usage error."""
    if text == NOTHING:
        return
    part = "userinfo" if name in {"username", "password"} else name
    change: dict[str, Any] = {part: f"/{text}" if part == "path" else text}
    parse_argument(f"--{name}", lambda: IRIReference("//host").replace(**change))


def parse_pair(text: str) -> tuple[str, str | None]:
    if not text:
        raise MisuseError("empty query parameter; write NAME=DATA or NAME")
    name, equals, data = text.partition("=")
    return name, data if equals else None


def parse_additions(texts: Sequence[str]) -> tuple[list[str], list[tuple[str, str | None]]]:
    segments: list[str] = []
    pairs: list[tuple[str, str | None]] = []
    for text in texts:
        part, _, data = text.partition("=")
        if part == "path":
            segments.append(data)
        elif part == "query":
            pairs.append(parse_pair(data))
        else:
            raise MisuseError(
                f"invalid value {text!r} of --append; write path=DATA or query=NAME=DATA"
            )
    return segments, pairs


def split_userinfo(uri: IRIReference) -> tuple[str | None, str | None]:
    if uri.userinfo is None:
        return None, None
    username, colon, password = uri.userinfo.partition(":")
    return username, password if colon else None


def join_userinfo(username: str | None, password: str | None) -> str | None:
    if username and ":" in username:
        reason, hint = "a colon is not allowed in the user name", "percent-encode it as %3A"
        raise BuildError(username, username.index(":"), "userinfo", "userinfo", reason, hint)
    return username if password is None else f"{username or ''}:{password}"


def has_component(uri: IRIReference, name: str) -> bool:
    """Return whether a component is present; an empty path counts as missing."""
    if name in {"username", "password"}:
        return split_userinfo(uri)[name == "password"] is not None
    component = getattr(uri, "port_text" if name == "port" else name)
    return component != "" if name == "path" else component is not None


#: Returns an edited destination, or raises `URIError`.
EditURI = Callable[[str], object]

#: The base URI of a command (see `Document.uri`), and a function that returns the edit of
#: destinations with another base URI.
Relative = tuple[IRIReference, Callable[[IRIReference], EditURI]] | None

BYTE_ORDER_MARK = "\ufeff"

#: The advice for a file whose name does not tell its format.
ADVICE = "rename the file, so that its suffix tells the format"

#: The kinds of destinations that `resolve` and `relativize` keep: bases, which other destinations
#: depend on, and URIs in text and JSON, which are found only if they have a scheme.
NEVER_RELATIVE = {"base", "text"}


class StoppedError(Exception):
    """Raised at the last invalid destination that the options allow."""


def set_components(options: Namespace) -> int:
    return edit_files(options, ComponentEdit(options))


def normalize_links(options: Namespace) -> int:
    if options.keep_dot_segments and options.all_dot_segments:
        raise MisuseError("--keep-dot-segments contradicts --all-dot-segments; use one of them")
    steps: dict[str, Any] = {}
    for step in ("case", "percent_encoding", "dot_segments", "ipv6"):
        if getattr(options, f"keep_{step}"):
            steps[step] = False
    if options.all_dot_segments:
        steps["dot_segments"] = "all"
    if options.scheme:
        steps["scheme"] = True
    return edit_files(options, lambda uri: parse(uri).normalize(**steps))


def repair_links(options: Namespace) -> int:
    repair_uri = partial(repair, iri=options.iri, scheme=options.scheme, slashes=options.slashes)
    try:
        repair_uri("")
    except ValueError as error:
        raise MisuseError(str(error)) from None
    return edit_files(options, repair_uri)


def resolve_links(options: Namespace) -> int:
    base_uri = parse_base("BASE", options.base)

    def resolve_from(base: IRIReference) -> EditURI:
        return Resolver(base, strict=not options.non_strict)

    return edit_files(options, resolve_from(base_uri), (base_uri, resolve_from))


def relativize_links(options: Namespace) -> int:
    """Make links relative to their document, except relative ones and those to other sites."""
    base_uri = parse_base("BASE", options.base)

    def relativize_from(base: IRIReference) -> EditURI:
        def edit(uri: str) -> object:
            value = parse(uri)
            same_site = (value.scheme, value.authority) == (base.scheme, base.authority)
            return value.relative_to(base, walk_up=not options.no_walk_up) if same_site else uri

        return edit

    return edit_files(options, relativize_from(base_uri), (base_uri, relativize_from))


def edit_files(options: Namespace, edit_uri: EditURI, relative: Relative = None) -> int:
    if not options.files or "-" in options.files:
        raise MisuseError("no documents; give files or folders as arguments")
    rewriting = Rewriting(in_place=options.in_place, backup=options.backup, dry_run=options.dry_run)
    tally = Tally.from_options(options)
    edit_documents(rewriting, options.files, tally, edit_uri, relative)
    return tally.finish("invalid")


def edit_documents(
    rewriting: Rewriting, names: Iterable[str], tally: Tally, edit_uri: EditURI, relative: Relative
) -> None:
    """Edit the destinations in documents, each of which stays unchanged after too many errors."""
    documents = Documents(names, advice=ADVICE)
    tally.changed = 0
    for document in documents:
        changed_before = tally.changed
        try:
            rewriting.check_file(document.name)
            pairs = DocumentEdit(document, tally, edit_uri, relative).edit_lines()
            rewriting.write(document.name, pairs)
        except StoppedError:
            if rewriting.in_place:
                tally.changed = changed_before
                reason = "too many invalid strings; the file stays unchanged"
                print_error(describe_os_error(UnreadableError(EINVAL, reason, document.name)))
            break
        except UnreadableError as error:
            tally.changed = changed_before
            documents.report_unreadable(error)
    tally.unread = tally.unread or documents.unread


class DocumentEdit:
    """The edit of a document; the arguments are those of `edit_documents`."""

    def __init__(
        self, document: Document, tally: Tally, edit_uri: EditURI, relative: Relative
    ) -> None:
        self.document = document
        self.tally = tally
        self.edit_uri = edit_uri
        self.encoding = "utf-8"
        self.uri: IRIReference | None = None
        if relative is not None:
            self.uri = document.uri(relative[0])
            self.edit_from = lru_cache(maxsize=1)(relative[1])

    def edit_lines(self) -> Pairs:
        text, self.encoding, mark = self.document.read()
        if self.encoding.startswith("utf-16"):
            reason = "cannot edit UTF-16; convert the file to UTF-8"
            raise UnreadableError(EINVAL, reason, self.document.name)
        document_format = self.document.format
        try:
            pieces = list(
                edits(text, document_format, self.edit, base=self.uri, refused=self.refuse)
            )
        except URIError as error:
            raise UnreadableError.from_syntax_error(self.document.name, text, error) from None
        if mark:
            pieces.insert(0, (BYTE_ORDER_MARK, BYTE_ORDER_MARK))
        return [(self.encode(old), self.encode(new)) for old, new in join_lines(pieces)]

    def edit(self, link: Link, base: IRIReference | None) -> str | None:
        """Return a new destination, or `None` to keep it."""
        if has_placeholder(link):
            return None
        edit_uri = self.edit_uri
        if self.uri is not None and base is not None:
            if link.kind in NEVER_RELATIVE:
                return None
            edit_uri = self.edit_from(base)
        self.tally.total += 1
        try:
            old, new = edit_destination(link, edit_uri)
        except NotAcceptedError:
            return None
        except URIError as error:
            self.report(link, str(reword_hint(error)))
            return None
        if new == old:
            return None
        try:
            self.encode(new)
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            problem = f"the encoding of the document has no character {character!r}"
            self.report(link, f"{problem}; percent-encode it")
            return None
        self.tally.changed = (self.tally.changed or 0) + 1
        return new

    def encode(self, text: str) -> bytes:
        return text.encode(self.encoding, "surrogateescape")

    def refuse(self, link: Link, error: ValueError) -> None:
        self.tally.changed = (self.tally.changed or 0) - 1
        self.report(link, str(error))

    def report(self, link: Link, problem: str) -> None:
        self.tally.invalid += 1
        self.tally.report(problem, self.document.name, link.line)
        if self.tally.stopped:
            raise StoppedError


def edit_destination(link: Link, edit_uri: EditURI) -> tuple[str, str]:
    """Return a destination, percent-encoded as renderers do if need be, and the new one."""
    try:
        return link.destination, str(edit_uri(link.destination))
    except URIError:
        reference = resolve_destination(link.destination, None)
        if reference is None or str(reference) == link.destination:
            raise
        return str(reference), str(edit_uri(str(reference)))


def join_lines(pieces: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Join the pieces of a document, before and after an edit, to whole lines.

    A line with an edited destination is alone, so that a diff shows it.
    """
    # The pieces of the current line.
    old: list[str] = []
    new: list[str] = []
    for before, after in pieces:
        if before != after or "\n" not in before:
            old.append(before)
            new.append(after)
            continue
        line_end, last_line = before.index("\n") + 1, before.rindex("\n") + 1
        yield "".join([*old, before[:line_end]]), "".join([*new, before[:line_end]])
        unchanged_lines = before[line_end:last_line]
        yield unchanged_lines, unchanged_lines
        old, new = [before[last_line:]], [before[last_line:]]
    yield "".join(old), "".join(new)
