"""The types of the options of each operation of a `Plan`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NotRequired, TypeAlias, TypedDict

from uriverse.columns._selecting import Expression
from uriverse.typing import (
    Component,
    DecodeErrors,
    Grammar,
    Host,
    ParamValues,
    Preset,
)

if TYPE_CHECKING:
    from uriverse import Policy
    from uriverse.templates import Router, Template

Names: TypeAlias = str | list[str] | tuple[str, ...]
OfParse = TypedDict("OfParse", {"grammar": Grammar, "preset": Preset}, total=False)
OfIsValid = TypedDict("OfIsValid", {"grammar": Grammar}, total=False)
OfNormalize = TypedDict("OfNormalize", {"scheme": bool}, total=False)
OfWithScheme = TypedDict("OfWithScheme", {"scheme": str | None})
OfWithHost = TypedDict("OfWithHost", {"host": Host | None})
OfWithPort = TypedDict("OfWithPort", {"port": int | str | None})
OfWithParam = TypedDict("OfWithParam", {"name": str, "value": ParamValues})
OfWithoutParams = TypedDict("OfWithoutParams", {"names": Names})
OfFilterParams = TypedDict("OfFilterParams", {"keep": Names, "drop": Names}, total=False)
OfOther = TypedDict("OfOther", {"other": str, "other_column": str}, total=False)
OfBase = TypedDict("OfBase", {"base": str, "base_column": str}, total=False)
OfFindings = TypedDict("OfFindings", {"profile": str}, total=False)
OfRepair = TypedDict("OfRepair", {"iri": bool, "scheme": str, "slashes": bool}, total=False)
OfQueryParam = TypedDict("OfQueryParam", {"name": str})
OfPolicy = TypedDict("OfPolicy", {"policy": "Policy | str"})
OfMatch = TypedDict("OfMatch", {"template": "Template | str"})
OfRoute = TypedDict("OfRoute", {"router": "Router | str"})
OfRedact = TypedDict("OfRedact", {"usernames": bool, "paths": bool}, total=False)
OfEncode = TypedDict("OfEncode", {"component": Component, "iri": NotRequired[bool]})
OfDecode = TypedDict("OfDecode", {"errors": DecodeErrors}, total=False)
OfSelect = TypedDict("OfSelect", {"results": Mapping[str, Expression]})
#: The options of an operation, as a dictionary: those of the column function that the command
#: `uriverse columns` has too. `"resolve"` and `"relativize"` need either `base`, the base URI of
#: all rows, or `base_column`, the name of a column with a base URI for each row. In the same way,
#: `"then"` and `"is-same-origin"` need `other` or `other_column`. The option `preset` of `"parse"`
#: is an output schema, `"commoncrawl"` or `"ecs"`. The option `results` of `"select"` contains the
#: expressions by the names of their results, as for `uriverse.columns.select`.
Options: TypeAlias = (
    OfParse
    | OfIsValid
    | OfNormalize
    | OfBase
    | OfOther
    | OfFindings
    | OfRepair
    | OfQueryParam
    | OfWithScheme
    | OfWithHost
    | OfWithPort
    | OfWithParam
    | OfWithoutParams
    | OfFilterParams
    | OfPolicy
    | OfMatch
    | OfRoute
    | OfRedact
    | OfEncode
    | OfDecode
    | OfSelect
)
