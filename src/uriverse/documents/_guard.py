"""Keep only the links of generated Markdown that a policy allows."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from uriverse._engine import Identifier, as_text
from uriverse._identifiers import IRIReference
from uriverse._policy import Policy

from ._links import absolute
from ._markdown import normalized
from ._markdown_blocks import Blocks
from ._markdown_content import Content
from ._markdown_inlines import PUNCTUATION, Inlines, Opened, decoded_with_places
from ._markdown_places import AUTOLINK, EXTENDED_AUTOLINK, bare

#: How often a document is guarded: removing a link may join its neighbors to a new one.
ROUNDS = 4

#: The number of characters that `Guard` holds at most.
LONGEST = 1 << 16

#: Characters with a meaning outside code. They are escaped in text even where CommonMark sees no
#: link, because some renderers see one.
SPECIAL = re.compile(
    rf"\\[{PUNCTUATION}]|`|<(?![ \t\n=0-9-])|\](?=[(:])|!(?=\[)|~~~+"
    # marked reads a label over several lines, even if they contain code.
    r"|\[(?![^\n\]]{0,999}+\])"
)
CODE_WORD = re.compile(r"(?<![`\\])`[^ \t\n\v\f\r`|~]++`(?!`)")
BRACKET = re.compile(r"[\[\]]")
ENTITIES = {"`": "&#96;", "<": "&lt;", "!": "&#33;"}

#: A word in decoded text. Only ASCII white space ends it: renderers link other spaces.
WORD = re.compile(r"[^ \t\n\v\f\r<>`]++")
TRIM_START, TRIM_END = "([{\"'*_~!", ".,;:!?)]}\"'*_~"

#: The top-level domains that linkify-it links in text without a scheme: the country codes, and
#: some others.
TOP_LEVEL_DOMAINS = (
    "a[cdefgilmnoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]"
    "|f[ijkmor]|g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]"
    "|l[abcikrstuvy]|m[acdeghklmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghklmnrstwy]|qa|r[eosuw]"
    "|s[abcdeghijklmnortuvxyz]|t[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]"
    "|xn--[a-z0-9-]+|biz|com|edu|gov|net|org|pro|web|xxx|aero|asia|coop|info|museum|name|shop|рф"
)
#: The sign of a URL, a domain or an e-mail address in a word. Not all of them are linked.
LINKED = re.compile(
    r"://|//[^/]*?(?:\.|localhost)|www\.|(?:mailto|xmpp):"
    r"|[^@]@[^@.]*+\."
    rf"|[^.\\/]\.(?:{TOP_LEVEL_DOMAINS})(?![\w-])|[^.\\/]\.[^\W\d_]{{2,}}[:/?#]",
    re.IGNORECASE,
)
WEB_URL = re.compile(r"(?:https?|ftp)://", re.IGNORECASE | re.ASCII)
#: A domain or an address that all renderers link in the same way.
PLAIN_DOMAIN = re.compile(
    r"(?!.+www\.)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:/(?:[A-Za-z0-9/_-]*[A-Za-z0-9/])?)?",
    re.IGNORECASE | re.ASCII,
)
PLAIN_EMAIL = re.compile(r"[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
#: The characters after a URL in text whose end is the same for all renderers.
PLAIN_END = re.compile(r"[.,;:!?]?(?:[ \t\n]|\Z)")

#: The end of a link that is kept as it is: a destination, and a title without special characters.
PLAIN_TARGET = re.compile(r"\]\([A-Za-z0-9\-._~:/?#@!$%+,;=&]+(?: \"[A-Za-z0-9 ,!?-]*\")?\)")
#: A link reference definition that is kept. No title follows it.
DEFINITION = re.compile(
    r"\[[A-Za-z0-9 _.-]+\]: ([A-Za-z0-9\-._~:/?#@!$%+,;=]+)(?=\Z|\n(?:\Z|[ \t]*\n|\[))"
)
BLANK_LINE = re.compile(r"\n[ \t]*\n(?=[^ \t\n])")


class Edit(NamedTuple):
    """A replacement for a span of the document."""

    start: int
    end: int
    new: str


class Item(NamedTuple):
    """A code span, a link, an image or an autolink in the text of a block.

    Attributes:
        start: the start of the item in the text.
        end: the end of the item.
        opened: the link, image or autolink; `None` for a code span.
        is_plain: whether all renderers read a code span as code.
    """

    start: int
    end: int
    opened: Opened | None
    is_plain: bool = True


class Rules:
    """Decide which destinations are kept."""

    def __init__(
        self, policy: Policy, embeds: Policy | None, base: str | Identifier | None
    ) -> None:
        """Keep the policies, and check the base URI."""
        self.policy = policy
        self.embeds = embeds
        self.base = None if base is None else absolute(IRIReference(as_text(base)))

    def allow_link(self, destination: str) -> bool:
        """Return whether a link to a destination is kept."""
        return self.policy.allows(destination, base=self.base)

    def allow_embed(self, destination: str) -> bool:
        """Return whether a destination that loads without a click is kept."""
        return self.embeds is not None and self.embeds.allows(destination, base=self.base)


def guard(
    markdown: str,
    policy: Policy,
    *,
    embeds: Policy | None = None,
    base: str | Identifier | None = None,
) -> str:
    r"""Keep only the links of a Markdown document that a policy allows.

    Use it for text that other people or language models wrote. Every renderer of the result opens
    only destinations that the policy allows:

    - A link that is not allowed is replaced by its text, and an image by its alternative text.
    - A URL, a domain or an e-mail address in text that is not allowed becomes a code span, because
      renderers turn bare ones into links.
    - Images load without a click, so they need a policy of their own. By default, none is allowed.
    - Raw HTML is escaped.
    - Links that refer to a definition become inline links. Images that refer to one are removed.

    Fenced code and code spans are kept. Line ends become `"\n"`.

    Args:
        markdown: the document.
        policy: the policy for links.
        embeds: the policy for images; `None` allows none.
        base: the URI of the page that displays the document. Without it, relative references and
            references that start with `//` are rejected, unless the policy has a base.

    Raises:
        ResolveError: `base` has no scheme.
        ParseError: `base` is not an IRI reference.

    >>> from uriverse import Policy
    >>> policy = Policy(allow=["*.example.org"])
    >>> guard("[docs](https://a.example.org/) ![x](https://evil.example/?q=secret)", policy)
    '[docs](https://a.example.org/) x'
    >>> guard("[click](javascript:alert(1)) or see www.evil.example <img src=x>", policy)
    'click or see `www.evil.example` &lt;img src=x>'
    """
    return guarded(markdown, Rules(policy, embeds, base))


class Guard:
    r"""Keep only the links of a Markdown document that a policy allows, while it is generated.

    `feed` takes the next characters and returns those that are decided. A block is decided when the
    next one starts, so that the user sees a paragraph at a time. At most 65,536 characters are
    held: of a longer block, such as a very long code block, no links and no code are kept.

    The results together are safe in the sense of `guard`. A link that refers to a later definition
    is kept as it is, and the definition is kept only if the policy allows it.

    Args:
        policy: the policy for links.
        embeds: the policy for images; `None` allows none.
        base: the URI of the page that displays the document.

    Raises:
        ResolveError: `base` has no scheme.
        ParseError: `base` is not an IRI reference.

    >>> from uriverse import Policy
    >>> stream = Guard(Policy(allow=["*.example.org"]))
    >>> for piece in "![x](https://ev", "il.example/?q=", "secret)\n\nNe", "xt":
    ...     print(repr(stream.feed(piece)))
    ''
    ''
    'x\n\n'
    ''
    >>> stream.close()
    'Next'
    """

    __slots__ = ("_enough", "_held", "_rules")

    def __init__(
        self,
        policy: Policy,
        *,
        embeds: Policy | None = None,
        base: str | Identifier | None = None,
    ) -> None:
        self._rules = Rules(policy, embeds, base)
        self._held = ""
        # A block that was not complete is read again when it is longer by a quarter, which keeps
        # the total time linear.
        self._enough = 0

    def feed(self, piece: str, /) -> str:
        r"""Take the next characters of the document, and return those that are decided.

        >>> from uriverse import Policy
        >>> stream = Guard(Policy())
        >>> stream.feed("One\n\n"), stream.feed("Two")
        ('', 'One\n\n')
        """
        held = self._held + piece
        # The last character may be the first half of a line end.
        rest = "\r" * held.endswith("\r")
        held = normalized(held.removesuffix("\r"))
        decided: list[str] = []
        start = 0
        for blank in BLANK_LINE.finditer(held):
            end = blank.end()
            if end - start < self._enough:
                continue
            if is_complete(held[start:end]):
                decided.append(guarded(held[start:end], self._rules))
                start, self._enough = end, 0
            else:
                self._enough = (end - start) * 5 // 4
        while len(held) - start > LONGEST:
            end = start + LONGEST
            space = max(held.rfind(each, start + 1, end) for each in " \n")
            end = end if space < 0 else space
            decided.append(f"{escaped_all(held[start:end], self._rules)}\n\n")
            start = end + len(held[end:]) - len(held[end:].lstrip(" \t\n"))
            self._enough = 0
        self._held = held[start:] + rest
        return "".join(decided)

    def close(self) -> str:
        r"""Return the rest of the document.

        >>> from uriverse import Policy
        >>> stream = Guard(Policy())
        >>> stream.feed("One\n\nTwo <b>"), stream.close()
        ('One\n\n', 'Two &lt;b>')
        """
        held, self._held, self._enough = self._held, "", 0
        return guarded(held, self._rules)


def is_complete(text: str) -> bool:
    """Return whether no fenced code block is open at the end of a document."""
    return not (("```" in text or "~~~" in text) and Blocks(text).ends_in_code)


def guarded(markdown: str, rules: Rules) -> str:
    """Guard a document until nothing changes; escape all of it if it keeps changing."""
    text = normalized(markdown)
    for _ in range(ROUNDS):
        again = guarded_once(text, rules)
        if again == text:
            return text
        text = again
    return escaped_all(text, rules)


def escaped_all(text: str, rules: Rules) -> str:
    """Escape all links, also those in code."""
    return applied(text, list(text_edits(text, 0, len(text), rules, plain=False)))


def guarded_once(text: str, rules: Rules) -> str:
    """Replace the links that the policy does not allow."""
    ended = text.endswith("\n")
    source = text if ended else f"{text}\n"
    blocks = Blocks(source)
    edits: list[Edit] = []
    done = list(blocks.code)
    for content in blocks.contents:
        if not content.is_html:
            edits += content_edits(content, Inlines(content.text, blocks.definitions), rules)
            done += content.pieces
    for start, end in blocks.infos:
        done.append((start, end))
        if any(text_edits(source, start, end, rules, plain=False)):
            edits.append(Edit(start, end, ""))
    for start, end in between(sorted(done), len(source)):
        edits += gap_edits(source, start, end, rules)
    result = applied(source, edits)
    return result if ended else result.removesuffix("\n")


def between(spans: list[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """Yield the spans between sorted spans."""
    position = 0
    for start, end in [*spans, (length, length)]:
        if start > position:
            yield position, start
        position = max(position, end)


def applied(text: str, edits: list[Edit]) -> str:
    """Apply edits; one that overlaps an earlier one is ignored."""
    pieces: list[str] = []
    position = 0
    for start, end, new in sorted(edits):
        if start >= position:
            pieces += text[position:start], new
            position = end
    return "".join(pieces) + text[position:]


def gap_edits(source: str, start: int, end: int, rules: Rules) -> Iterator[Edit]:
    """Yield the edits of text that no paragraph contains, such as HTML and definitions."""
    position = start
    for found in DEFINITION.finditer(source, start, end):
        if rules.allow_link(found[1]):
            yield from text_edits(source, position, found.start(), rules, plain=False)
            position = found.end()
    yield from text_edits(source, position, end, rules, plain=False)


def content_edits(content: Content, inlines: Inlines, rules: Rules) -> list[Edit]:
    """Return the edits of a block's text, with their places in the document."""
    text = inlines.text
    items = [
        Item(*each.outer, each)
        for each in inlines.opened
        if each.kind in {"link", "image"} or (each.kind == "autolink" and each.outer != each.inner)
    ]
    items += code_items(text, [atom for atom in inlines.atoms if text.startswith("`", atom[0])])
    items.sort(key=lambda item: (item.start, -item.end))
    edits = list(span_edits(text, 0, len(text), items, rules))
    if not edits:
        return []
    places = content.places()
    return [Edit(*places.span(start, end), new) for start, end, new in edits]


def span_edits(
    text: str, start: int, end: int, items: list[Item], rules: Rules, *, linked: bool = False
) -> Iterator[Edit]:
    """Yield the edits of a span of a block's text.

    Args:
        text: the text.
        start: the start of the span.
        end: the end of the span.
        items: the items in the span, sorted; those that contain others are first.
        rules: the policies.
        linked: whether the span is the text of a link that is kept.
    """
    index = 0
    while index < len(items):
        item = items[index]
        following = index + 1
        while following < len(items) and items[following].start < item.end:
            following += 1
        yield from text_edits(text, start, item.start, rules, plain=True, linked=linked)
        inside = items[index + 1 : following]
        yield from item_edits(text, item, inside, rules, linked=linked)
        start, index = item.end, following
    yield from text_edits(text, start, end, rules, plain=True, linked=linked)


def item_edits(
    text: str, item: Item, inside: list[Item], rules: Rules, *, linked: bool
) -> Iterator[Edit]:
    """Yield the edits of an item, given the items inside it."""
    opened = item.opened
    if opened is None:
        if not item.is_plain:
            yield from text_edits(text, item.start, item.end, rules, plain=False)
        return
    destination = opened.destination
    if opened.kind == "autolink":
        written = text[opened.start : opened.end]
        plain = written == destination and AUTOLINK.fullmatch(written)
        if linked or not (plain and rules.allow_link(destination)):
            yield Edit(item.start, item.end, code(written))
        return
    first, last = opened.inner
    is_image = opened.kind == "image"
    allowed = rules.allow_embed(destination) if is_image else rules.allow_link(destination)
    allowed = allowed and bool(destination) and not (is_image and opened.definition)
    if not allowed:
        yield Edit(item.start, first, "")
        yield Edit(last, item.end, "")
    elif (
        not PLAIN_TARGET.fullmatch(text, last, item.end)
        or "&" in destination
        or "&" in text[last : item.end]
    ):
        yield Edit(last, item.end, f"]({bare(destination)})")
    inner = [each for each in inside if each.end <= last]
    yield from span_edits(text, first, last, inner, rules, linked=linked or allowed)


def code_items(text: str, spans: list[tuple[int, int]]) -> Iterator[Item]:
    """Yield the code spans of a block."""
    outside = (text.find("~", start, end) for start, end in between(spans, len(text)))
    tilde = next((index for index in outside if index >= 0), len(text))
    for start, end in spans:
        written = text[start:end]
        # A block or a table might split a code span, and marked might find the end of a link or of
        # strikethrough in it.
        is_plain = "\n" not in written and "|" not in written and has_pairs(written)
        is_plain = is_plain and (start < tilde or "~" not in written)
        yield Item(start, end, None, is_plain)


def has_pairs(written: str) -> bool:
    """Return whether all square brackets are in pairs."""
    depth = 0
    for bracket in BRACKET.findall(written):
        depth += 1 if bracket == "[" else -1
        if depth < 0:
            return False
    return depth == 0


def text_edits(
    text: str, start: int, end: int, rules: Rules, *, plain: bool, linked: bool = False
) -> Iterator[Edit]:
    """Yield the edits of text outside code, links and images.

    Args:
        text: the text of a block, or the document.
        start: the start of the span.
        end: the end of the span.
        rules: the policies.
        plain: whether the span is the text of a paragraph, in which links may be kept. Elsewhere,
            words that were made code spans before are kept.
        linked: whether the span is the text of a link.
    """
    if not plain:
        for found in CODE_WORD.finditer(text, start, end):
            if has_pairs(found[0]):
                yield from loose_edits(text, start, found.start(), rules, plain=False)
                start = found.end()
    yield from loose_edits(text, start, end, rules, plain=plain, linked=linked)


def loose_edits(
    text: str, start: int, end: int, rules: Rules, *, plain: bool, linked: bool = False
) -> Iterator[Edit]:
    """Yield the edits of a span without code."""
    if start >= end:
        return
    words = list(word_edits(text, start, end, rules, plain=plain, linked=linked))
    yield from words
    starts = [edit.start for edit in words]
    # Some special characters depend on the character after them, which may be outside the span.
    for found in SPECIAL.finditer(text, start, min(end + 1, len(text))):
        place = found.start()
        if place >= end:
            break
        index = bisect_left(starts, place + 1) - 1
        if index >= 0 and place < words[index].end:
            continue
        new = escaped(found[0], text[found.end() : found.end() + 1])
        if new != found[0]:
            yield Edit(place, found.end(), new)


def escaped(special: str, following: str) -> str:
    """Return special characters so that no renderer reads them as a part of a link."""
    character = special[-1]
    if character == "[":
        return "\\["
    if character == "]":
        return f"{special}\\" if following in {"(", ":"} else special
    if character == "!":
        return ENTITIES["!"] if following == "[" else special
    if character == "~" and len(special) > 2:
        return "&#126;" * len(special)
    return ENTITIES.get(character, special)


def word_edits(
    text: str, start: int, end: int, rules: Rules, *, plain: bool, linked: bool
) -> Iterator[Edit]:
    """Yield the edits of the words that renderers may turn into links."""
    raw = text[start:end]
    if not LINKED.search(raw) and "&" not in raw and "\\" not in raw:
        return
    read, places = decoded_with_places(raw)
    for word in WORD.finditer(read):
        if not LINKED.search(word[0]):
            continue
        core = word[0].lstrip(TRIM_START)
        first = word.end() - len(core)
        core = core.rstrip(TRIM_END)
        last = first + len(core)
        span = start + places[first], start + places[last]
        if plain and text[slice(*span)] == core:
            ends = PLAIN_END.match(text, span[1]) is not None
            ends = ends or (linked and text.startswith("]", span[1]))
            kept = kept_word(core, rules, ends=ends, linked=linked)
            if kept is not None:
                if kept != core:
                    yield Edit(*span, kept)
                continue
        yield Edit(*span, code(core))


def kept_word(core: str, rules: Rules, *, ends: bool, linked: bool) -> str | None:
    """Return how a URL, a domain or an address in text is kept, or `None` if it is not."""
    if WEB_URL.match(core):
        if not rules.allow_link(core):
            return None
        if ends and EXTENDED_AUTOLINK.fullmatch(core):
            return core
        return f"<{core}>" if AUTOLINK.fullmatch(core) and not linked else None
    if not ends:
        return None
    if PLAIN_EMAIL.fullmatch(core):
        return core if rules.allow_link(f"mailto:{core}") else None
    allowed = PLAIN_DOMAIN.fullmatch(core) and all(
        rules.allow_link(f"{scheme}://{core}") for scheme in ("http", "https")
    )
    return core if allowed else None


def code(written: str) -> str:
    """Write a word as a code span, in which no renderer finds links."""
    encoded = "`|~" if has_pairs(written) else "`|~[]"
    for character in encoded:
        written = written.replace(character, f"%{ord(character):02X}")
    return f"`{written}`"
