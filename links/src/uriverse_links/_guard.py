"""Keep only the links of generated Markdown that a policy allows."""

from __future__ import annotations

import re

from uriverse import IRIReference, Policy

from ._guard_document import escaped_all, guarded, is_complete, normalize_text
from ._guard_rules import Removed, Rules

#: The number of characters that `Guard` holds at most.
LONGEST = 1 << 16

BLANK_LINE = re.compile(r"\n[ \t]*\n(?=[^ \t\n])")


def guard(
    markdown: str,
    policy: Policy,
    *,
    embeds: Policy | None = None,
    base: str | IRIReference | None = None,
    html: bool = False,
) -> str:
    r"""Keep only the links of a Markdown document that a policy allows.

    Use it for text that other people or language models wrote. Every renderer of the result opens
    only destinations that the policy allows:

    - A link that is not allowed is replaced by its text, and an image by its alternative text.
    - A URL, a domain or an e-mail address in text that is not allowed becomes a code span, because
      renderers turn bare ones into links.
    - Images load without a click, so they need a policy of their own. By default, none is allowed.
    - Raw HTML is escaped, unless `html` is true.
    - Links that refer to a definition become inline links. Images that refer to one are removed.

    Fenced code and code spans are kept. Line ends become `"\n"`.

    Args:
        markdown: the document.
        policy: the policy for links.
        embeds: the policy for images; `None` allows none.
        base: the URI of the page that displays the document. Without it, relative references and
            references that start with `//` are rejected, unless the policy has a base.
        html: whether to keep harmless HTML, such as `<br>`, `<kbd>`, `<details>` and tables, and
            links and images in HTML that the policies allow. A tag must be written in lower case,
            with double quotation marks around values, and without other attributes than `href`,
            `src`, `alt`, `title`, `width`, `height`, `align`, `colspan`, `rowspan` and `open`.

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
    return guarded(markdown, Rules(policy, embeds, base, html=html))


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
        html: whether to keep harmless HTML, as `guard` does.

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
        base: str | IRIReference | None = None,
        html: bool = False,
    ) -> None:
        self._rules = Rules(policy, embeds, base, html=html)
        self._held = ""
        # A block that was not complete is read again when it is longer by a quarter, which keeps
        # the total time linear.
        self._enough = 0

    @property
    def removed(self) -> list[Removed]:
        r"""The destinations that were removed so far, each one once.

        Their order is that of the paragraphs. In a paragraph, those in raw HTML come first.

        They are those that the policies do not allow, and those in raw HTML. Their secrets are
        replaced as `redact` replaces them, so that they can be logged.

        >>> from uriverse import Policy
        >>> stream = Guard(Policy(allow=["*.example.org"]))
        >>> _ = stream.feed("![x](https://evil.example/?token=abc) <img src=//evil.example>\n")
        >>> _ = stream.close()
        >>> for kind, destination in stream.removed:
        ...     print(kind, destination)
        image //evil.example
        image https://evil.example/?token=REDACTED
        """
        return list(self._rules.removed)

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
        held = normalize_text(held.removesuffix("\r"))
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
