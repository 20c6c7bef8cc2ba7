"""Constraints on the URIs that a field, a column or an option accepts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from uriverse import ParseError, PolicyError
from uriverse._errors import quote_argument
from uriverse._spec.normalization import lowercase_ascii
from uriverse._uri.engine import Identifier, get_bounds
from uriverse.diagnosis._checking import check
from uriverse.diagnosis._findings import PROFILES

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

    from uriverse._policy import Policy

__all__ = ["Constraints"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """Rules for the URIs that a field accepts, in addition to the grammar of the field's type.

    In pydantic models and with cattrs, use it as an annotation, such as
    `Annotated[URI, Constraints(schemes={"https"})]`.

    Args:
        schemes: the allowed schemes; case is ignored. A relative reference has no scheme and is
            rejected. `None` allows every scheme, and relative references.
        host_required: whether to reject URIs without a host, or with an empty host.
        profile: a profile of `check`; URIs with findings of the severity `"error"` are rejected.
            `None` does not call `check`.
        max_length: the maximum length in characters; `None` for no limit.
        policy: a policy that must allow the URI; `None` for no policy. The value stays as it was
            given. To connect to it, use the URI that `Policy.enforce` returns.

    Raises:
        ValueError: the profile is unknown, or `max_length` is negative.
        TypeError: `schemes` is one string, or `policy` is not a `Policy`.

    >>> from uriverse import URI
    >>> web = Constraints(schemes={"http", "https"}, host_required=True)
    >>> web.enforce(URI("https://example.org/"))
    >>> try:
    ...     web.enforce(URI("ftp://example.org/"))
    ... except ParseError as error:
    ...     print(error.code, error.position, error.reason)
    scheme-not-allowed 0 unexpected scheme: expected http or https
    """

    schemes: Collection[str] | None = None
    host_required: bool = False
    profile: str | None = None
    max_length: int | None = None
    policy: Policy | None = None

    def __post_init__(self) -> None:
        if self.schemes is not None:
            if isinstance(self.schemes, str):
                raise TypeError("schemes must be a collection of strings, not one string")
            schemes = tuple(sorted({lowercase_ascii(scheme) for scheme in self.schemes}))
            # The attributes of a frozen dataclass cannot be assigned.
            object.__setattr__(self, "schemes", schemes)
        if self.profile is not None and self.profile not in PROFILES:
            choices = ", ".join(PROFILES)
            profile = quote_argument(self.profile)
            raise ValueError(f"profile must be one of {choices}, not {profile}")
        if self.max_length is not None and self.max_length < 0:
            raise ValueError(f"max_length must not be negative, not {self.max_length}")
        if self.policy is not None:
            # Importing policies takes long, and few programs use them here.
            from uriverse._policy import Policy

            if not isinstance(self.policy, Policy):
                raise TypeError(f"policy must be a Policy, not {type(self.policy).__name__}")

    def enforce(self, value: Identifier, /) -> None:
        """Raise `ParseError` if a URI violates a constraint.

        Args:
            value: a value of one of the four URI types.

        Raises:
            ParseError: a constraint is violated. Its `code` is `"scheme-not-allowed"`,
                `"host-missing"`, `"too-long"`, the code of a finding of `check`, or the code with
                which the policy rejects the URI (see `Policy.enforce`).
            TypeError: `value` is not one of the four URI types.

        >>> from uriverse import URI
        >>> try:
        ...     Constraints(max_length=12).enforce(URI("http://example.org/"))
        ... except ParseError as error:
        ...     print(error.code, error.position)
        too-long 12
        """
        if not isinstance(value, Identifier):
            raise TypeError(f"value must be a URI, not {type(value).__name__}")
        text = str(value)
        if self.max_length is not None and len(text) > self.max_length:
            reason = f"string too long: the limit is {self.max_length:,} characters"
            _reject(text, self.max_length, "text", "too-long", reason)
        if self.schemes is not None and (value.scheme or "").lower() not in self.schemes:
            expected = " or ".join(self.schemes)
            problem = "missing" if value.scheme is None else "unexpected"
            reason = f"{problem} scheme: expected {expected}"
            _reject(text, 0, "scheme", "scheme-not-allowed", reason)
        if self.host_required and not value.host:
            offsets = get_bounds(value)
            position = offsets.path if offsets.host < 0 else offsets.host
            _reject(text, position, "host", "host-missing", "missing host: a host is required")
        if self.profile is not None:
            for finding in check(value, self.profile):
                if finding.severity == "error":
                    hint = finding.suggestion or ""
                    location = text, finding.start, finding.component, finding.code
                    _reject(*location, finding.message, hint)
        if self.policy is not None:
            _enforce_policy(self.policy, value)

    # --- fields of pydantic models, as `Annotated[URI, Constraints(...)]`

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from uriverse._uri.pydantic_schema import constrain_schema

        return constrain_schema(handler(source), self._enforce_unless_none)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self._json_schema(handler(schema))

    def _enforce_unless_none(self, value: object) -> None:
        if value is not None:
            if not isinstance(value, Identifier):
                kind = type(value).__name__
                raise TypeError(f"Constraints requires a URI type such as URI, not {kind}")
            self.enforce(value)

    def _json_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema if self.max_length is None else {**schema, "maxLength": self.max_length}


def _enforce_policy(policy: Policy, value: Identifier) -> None:
    try:
        policy.enforce(value)
    except PolicyError as error:
        rejection = error
    else:
        return
    text, position, component = str(value), rejection.position, rejection.component
    if rejection.text != text:
        # The position refers to the resolved or to the canonical URI.
        position, component = 0, "text"
    _reject(text, position, component, rejection.code, rejection.reason, rejection.hint)


def _reject(
    text: str, position: int, component: str, code: str, reason: str, hint: str = ""
) -> NoReturn:
    error = ParseError(text, position, component, code, reason, hint)
    error.code = code
    error.well_formed = True
    raise error
