"""Normal forms and the ladder of comparison."""

from __future__ import annotations

from uriverse import engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from uriverse.spec.normalization import Change

    #: The rungs of the ladder.
    Level = Literal["string", "syntax"]

LEVELS = ("string", "syntax")


class Comparable(engine.Identifier):
    """What is normalised and compared; the four types are this."""

    __slots__ = ()

    def is_normalized(
        self,
        *,
        case: bool = True,
        percent_encoding: bool = True,
        dot_segments: bool = True,
        ipv6: bool = True,
    ) -> bool:
        """Whether `normalize`, with the same steps, changes nothing.

        >>> from uriverse import URI
        >>> URI("http://a/%7e").is_normalized(), URI("http://a/~").is_normalized()
        (False, True)
        """
        same = self.normalize(
            case=case, percent_encoding=percent_encoding, dot_segments=dot_segments, ipv6=ipv6
        )
        return same is self

    def normalization_changes(
        self,
        *,
        case: bool = True,
        percent_encoding: bool = True,
        dot_segments: bool = True,
        ipv6: bool = True,
    ) -> tuple[Change, ...]:
        """What `normalize`, with the same steps, would change.

        Returns:
            For each step and component that it changes, in the order in which it does so:
            `step` (the argument's name), `component`, and its text `before` and `after`.

        >>> from uriverse import URI
        >>> for change in URI("HTTP://a/%7e/..").normalization_changes():
        ...     print(change.step, change.component, change.before, change.after)
        percent_encoding path /%7e/.. /~/..
        case scheme HTTP http
        dot_segments path /~/.. /
        """
        from uriverse.spec.normalization import changes

        chosen = {
            "case": case,
            "percent_encoding": percent_encoding,
            "dot_segments": dot_segments,
            "ipv6": ipv6,
        }
        steps = {step for step, wanted in chosen.items() if wanted}
        return tuple(changes(str(self), steps, iri=self._rule.startswith("IRI")))

    def equivalent(self, other: str | engine.Identifier, /, *, level: Level = "syntax") -> bool:
        """Whether this and another identify the same, as far as a rung of the [ladder][1] tells.

        Whatever a rung tells apart may still be the same to a rung above it.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2

        Args:
            other: a text or an identifier.
            level: `"string"` for simple string comparison (6.2.1), as `==` has it; `"syntax"`
                for syntax-based normalisation of both (6.2.2; RFC 3987, 5.3.2), where an IRI
                is taken as the URI that it maps to.

        Raises:
            ParseError: the other is a text that is no IRI-reference.
            TypeError: the other is neither a `str` nor an identifier.
            ValueError: there is no such level.

        >>> from uriverse import IRI
        >>> IRI("example://a/b/c/%7Bfoo%7D/rosé").equivalent(
        ...     "eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9"
        ... )
        True
        """
        return self.comparison_key(level) == key(engine.parse(other), level)

    def comparison_key(self, level: Level = "syntax", /) -> str:
        """A text that is the same for all that are `equivalent` on that level.

        To be used in a `dict` or a `set`, and to sort by.

        Raises:
            ValueError: there is no such level.

        >>> from uriverse import URI
        >>> URI("HTTP://a/%7e/..").comparison_key()
        'http://a/'
        """
        return key(self, level)


def key(value: engine.Identifier, level: str) -> str:
    if level == "string":
        return str(value)
    if level == "syntax":
        return str(value._to_uri().normalize())
    raise ValueError(f"{level!r} is none of {', '.join(LEVELS)}")
