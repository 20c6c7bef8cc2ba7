"""The rules of `guard`, and the edits of text in which renderers may find links, code or HTML."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from uriverse import IRIReference, Policy, redact

from ._destinations import LinkKind, skip_pattern
from ._html import find_html_destinations
from ._links import require_base
from ._markdown import AUTOLINK, EXTENDED_AUTOLINK
from ._markdown_blocks import ENCODED, PUNCTUATION, decode_with_offsets

#: The kinds of destinations that a user opens. All others load without a click.
CLICKED = {"link", "autolink", "text"}


class Removed(NamedTuple):
    """A destination that `Guard` removed.

    Attributes:
        kind: the role of the destination, as in `Link`: `"link"`, `"autolink"`, `"image"`, or
            another one for raw HTML.
        destination: the destination, in which secrets are replaced as `redact` replaces them.

    >>> from uriverse import Policy
    >>> from uriverse_links import Guard
    >>> guard = Guard(Policy(allow=["docs.example"]))
    >>> _ = guard.feed("![x](https://evil.example/?token=a)") + guard.close()
    >>> guard.removed
    [Removed(kind='image', destination='https://evil.example/?token=REDACTED')]
    """

    kind: LinkKind
    destination: str


class Rules:
    def __init__(
        self,
        policy: Policy,
        embeds: Policy | None,
        base: str | IRIReference | None,
        *,
        html: bool = False,
    ) -> None:
        self.policy = policy
        self.embeds = embeds
        self.base = require_base(base)
        self.html = html
        self.removed: dict[Removed, None] = {}

    def allow_link(self, destination: str) -> bool:
        return is_trimmed(destination) and self.policy.allows(destination, base=self.base)

    def allow_embed(self, destination: str) -> bool:
        if self.embeds is None or not is_trimmed(destination):
            return False
        return self.embeds.allows(destination, base=self.base)

    def remove(self, kind: LinkKind, destination: str) -> None:
        """Record a destination that is not kept, unless a policy allows it."""
        allow = self.allow_link if kind in CLICKED else self.allow_embed
        if not allow(destination):
            self.removed[Removed(kind, redact(destination))] = None

    def remove_html(self, html: str) -> None:
        for occurrence in find_html_destinations(html):
            self.remove(occurrence.kind, occurrence.destination)


def is_trimmed(destination: str) -> bool:
    """Return whether no white space, which markdown-it removes, surrounds a destination.

    Before `//evil.example`, U+FEFF would be the start of a relative path.
    """
    return destination == destination.strip().strip("\ufeff")


#: Characters with a meaning outside code. They are escaped in text even where CommonMark sees no
#: link, because some renderers see one.
SPECIAL = re.compile(
    rf"\\[{PUNCTUATION}]|`|<|\](?=[(:])|!(?=\[)|~~~+"
    # marked reads a label over several lines, even if they contain code.
    r"|\[(?![^\n\]]{0,999}+\])"
    # cmark-gfm links e-mail addresses in the label of a footnote that does not exist, also in code.
    r"|\[(?=\^[^\n\[\]`]{0,999}+[\[`])"
)
#: The rest of a line after a "<" that starts no tag.
#: With an option of cmark-gfm, a tag is everything up to the next ">".
NO_TAG = re.compile(r"(?:[ \t=0-9-][^\n>]{0,999}+)?(?:\n|\Z)")
CODE_WORD = re.compile(r"(?<![`\\])`[^ \t\n\v\f\r`|~<]++`(?!`)")
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
    r"://|//[^/]*?(?:\.|localhost|\[)|www\.|(?:mailto|xmpp):"
    r"|[^@]@(?:\[|[^@.]*+\.)"
    # An underscore after a domain may end emphasis.
    rf"|[^.\\/]\.(?:{TOP_LEVEL_DOMAINS})(?![^\W_]|-)|[^.\\/]\.[^\W\d_]{{2,}}[:/?#]",
    re.IGNORECASE,
)
#: Every match of `LINKED` contains a match of this pattern, and most paragraphs do not.
SIGN = r"//|@|\.[^\W\d_]{2}|[wW]\.|[oOpP]:"
SIGNED = re.compile(SIGN)
#: Every span with edits contains a match of this pattern. A "[" may follow a "!" at its end.
NOTICED = re.compile(rf"[\\`<\[\]&]|!\Z|~~~|{SIGN}")
WEB_URL = re.compile(r"(?:https?|ftp)://", re.IGNORECASE | re.ASCII)
#: A domain or an address that all renderers link in the same way.
PLAIN_DOMAIN = re.compile(
    r"(?!.+www\.)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:/(?:[A-Za-z0-9/_-]*[A-Za-z0-9/])?)?",
    re.IGNORECASE | re.ASCII,
)
PLAIN_EMAIL = re.compile(r"[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
#: The characters after a URL in text whose end is the same for all renderers.
PLAIN_END = re.compile(r"[.,;:!?]?(?:[ \t\n]|\Z)")


class Edit(NamedTuple):
    start: int
    end: int
    new: str


def has_balanced_brackets(text: str) -> bool:
    depth = 0
    for bracket in BRACKET.findall(text):
        depth += 1 if bracket == "[" else -1
        if depth < 0:
            return False
    return depth == 0


def text_edits(
    text: str, start: int, end: int, rules: Rules, *, in_paragraph: bool, in_link: bool = False
) -> Iterator[Edit]:
    """Yield the edits of text outside code, links and images.

    In a paragraph, links may be kept. Elsewhere, the code spans that an earlier round made of words
    are kept.
    """
    if not NOTICED.search(text, start, end):
        return
    if not in_paragraph:
        for code_word in CODE_WORD.finditer(text, start, end):
            if has_balanced_brackets(code_word[0]):
                yield from loose_edits(text, start, code_word.start(), rules, in_paragraph=False)
                start = code_word.end()
    yield from loose_edits(text, start, end, rules, in_paragraph=in_paragraph, in_link=in_link)


def loose_edits(
    text: str, start: int, end: int, rules: Rules, *, in_paragraph: bool, in_link: bool = False
) -> Iterator[Edit]:
    """Yield the edits of the words that may be links, then those of special characters outside."""
    words = list(word_edits(text, start, end, rules, in_paragraph=in_paragraph, in_link=in_link))
    yield from words
    word_starts = [edit.start for edit in words]
    # Some special characters depend on the character after them, which may be outside the span.
    for special in SPECIAL.finditer(text, start, min(end + 1, len(text))):
        if special.start() >= end:
            break
        last_word = bisect_right(word_starts, special.start()) - 1
        is_in_word = last_word >= 0 and special.start() < words[last_word].end
        if is_in_word:
            continue
        new = escape_special(special[0], text, special.end())
        if new != special[0]:
            yield Edit(*special.span(), new)


def escape_special(special: str, text: str, end: int) -> str:
    """Return a match of `SPECIAL` so that no renderer reads it as a part of a link or a tag.

    A character with a backslash before it is escaped in the same way.
    """
    character, next_character = special[-1], text[end : end + 1]
    if character == "[":
        return "\\["
    if character == "]":
        return f"{special}\\" if next_character in {"(", ":"} else special
    if character == "!":
        return ENTITIES["!"] if next_character == "[" else special
    if special == "<" and NO_TAG.match(text, end):
        return special
    if special.startswith("~~~"):
        return "&#126;" * len(special)
    return ENTITIES.get(character, special)


def word_edits(
    text: str, start: int, end: int, rules: Rules, *, in_paragraph: bool, in_link: bool
) -> Iterator[Edit]:
    """Yield the edits of the words that renderers may turn into links."""
    raw = text[start:end]
    if "&" not in raw and "\\" not in raw and not (SIGNED.search(raw) and LINKED.search(raw)):
        return
    decoded, offsets = decode_with_offsets(raw)
    for word in WORD.finditer(decoded):
        # markdown-it-py ends a word at an escape or a reference.
        source = text[start + offsets[word.start()] : start + offsets[word.end()]]
        if not LINKED.search(word[0]) and not LINKED.search(ENCODED.sub(" ", source)):
            continue
        core = word[0].lstrip(TRIM_START)
        first = word.end() - len(core)
        core = core.rstrip(TRIM_END)
        last = first + len(core)
        span = start + offsets[first], start + offsets[last]
        if in_paragraph and text[slice(*span)] == core:
            ends_plainly = PLAIN_END.match(text, span[1]) is not None
            ends_plainly = ends_plainly or (in_link and text.startswith("]", span[1]))
            new = render_word(core, rules, ends_plainly=ends_plainly, in_link=in_link)
            if new is not None:
                if new != core:
                    yield Edit(*span, new)
                continue
        if in_paragraph:
            rules.remove("autolink", core)
        yield Edit(*span, write_code_span(core))


def render_word(core: str, rules: Rules, *, ends_plainly: bool, in_link: bool) -> str | None:
    """Return how a URL, a domain or an address in text is kept, or `None` if it is not.

    It ends plainly if all renderers that link it find the same end.
    """
    if WEB_URL.match(core):
        if not rules.allow_link(core):
            return None
        if ends_plainly and EXTENDED_AUTOLINK.fullmatch(core):
            return core
        return f"<{core}>" if AUTOLINK.fullmatch(core) and not in_link else None
    if not ends_plainly:
        return None
    if PLAIN_EMAIL.fullmatch(core):
        return core if rules.allow_link(f"mailto:{core}") else None
    is_allowed = PLAIN_DOMAIN.fullmatch(core) and all(
        rules.allow_link(f"{scheme}://{core}") for scheme in ("http", "https")
    )
    return core if is_allowed else None


def write_code_span(text: str) -> str:
    encoded_characters = "`|~" if has_balanced_brackets(text) else "`|~[]"
    for character in encoded_characters:
        text = text.replace(character, f"%{ord(character):02X}")
    return f"`{text}`"


#: Elements that can start no HTML block unless their tag is alone on a line (CommonMark 4.6).
INLINE = (
    *("a", "abbr", "b", "br", "cite", "code", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark"),
    *("q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var"),
)
BLOCK = (
    *("blockquote", "caption", "dd", "details", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5"),
    *("h6", "hr", "li", "ol", "p", "summary", "table", "tbody", "td", "tfoot", "th", "thead"),
    *("tr", "ul"),
)
#: The attributes of all elements.
ATTRIBUTES = {"align", "alt", "colspan", "height", "open", "rowspan", "title", "width"}

VALUE = re.compile(r"[A-Za-z0-9 ,.!?%-]*")
DESTINATION = re.compile(r"(?:[A-Za-z0-9\-._~:/?#@!$%+,;=]|&amp;)+")
NAME = "|".join((*INLINE, *BLOCK))
TAG = re.compile(rf"</(?:{NAME})>|<({NAME})((?: [a-z]+(?:=\"[^\"\n]*\")?)*) ?/?>")
ATTRIBUTE = re.compile(r" ([a-z]+)(?:=\"([^\"]*)\")?")

#: The start of a line up to the first character that can belong to no marker of a block: neither to
#: a list item nor to a footnote.
MARKERS = re.compile(r"(?:[^A-Za-z<\[\n]|\[[^\]\n]*\]?)*")
#: A tag that is alone on its line starts an HTML block in some places.
LINE_END = re.compile(r"[ \t]*(?:\n|\Z)")


def keeps_tag(tag: re.Match[str], rules: Rules) -> bool:
    """Return whether all attributes of a tag are harmless, and its destination is allowed."""
    element, attributes = tag.groups(default="")
    seen_names: set[str] = set()
    for name, value in ATTRIBUTE.findall(attributes):
        # Renderers disagree on which of two attributes with the same name counts.
        if name in seen_names:
            return False
        seen_names.add(name)
        if (element, name) in {("a", "href"), ("img", "src")}:
            allow = rules.allow_link if name == "href" else rules.allow_embed
            if not (DESTINATION.fullmatch(value) and allow(value.replace("&amp;", "&"))):
                return False
        elif name not in ATTRIBUTES or not VALUE.fullmatch(value) or LINKED.search(value):
            return False
    return True


def keeps_inline_tag(text: str, start: int, end: int, rules: Rules) -> bool:
    """Return whether a tag in a paragraph is harmless, and starts no HTML block."""
    tag = TAG.fullmatch(text, start, end)
    if tag is None or not keeps_tag(tag, rules):
        return False
    line_start = text.rfind("\n", 0, start) + 1
    if skip_pattern(MARKERS, text, line_start) != start:
        # Only the first tag on a line can start an HTML block.
        return True
    name = tag[1] or tag[0].removeprefix("</").removesuffix(">")
    return name in INLINE and not LINE_END.match(text, end)
