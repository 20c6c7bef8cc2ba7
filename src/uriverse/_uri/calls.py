"""Say in the `TypeError` for a wrong call which class and which parameter to use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

#: Names that people bring from elsewhere, and the parameters to use instead.
INSTEAD = {
    "netloc": "authority",
    "hostname": "host",
    "user": "username",
    **dict.fromkeys(("hosts", "allowed_hosts", "allowed_domains", "whitelist"), "allow"),
    **dict.fromkeys(("denied_hosts", "blocked_hosts", "blocklist", "blacklist"), "deny"),
    "allowed_ports": "ports",
    **dict.fromkeys(("private", "allow_private"), "scopes"),
}


def describe_constructor(name: str) -> str:
    return f"{name}() takes one string: use build for components, repair to mend a string"


def describe_unknown(name: str, known: Iterable[str]) -> str:
    """Return the end of the message for an unknown keyword argument, with the name to use."""
    from difflib import get_close_matches

    from uriverse._errors import quoted

    known = [*known]
    right = [INSTEAD.get(name)] if INSTEAD.get(name) in known else get_close_matches(name, known, 1)
    advice = f": use {right[0]!r}" if right else ""
    return f"got an unexpected keyword argument {quoted(name)}{advice}"


def reword_call_error(error: TypeError, function: Any, owner: object, names: Iterable[str]) -> None:
    """Change the message of an error if it says that the arguments do not fit a function.

    A method has the qualified name of a base class. Its first argument, `owner`, knows the class.
    """
    label = shown = f"{function.__qualname__}()"
    message = str(error)
    if not (message.startswith(label) or names):
        return  # an error of the function itself, which needs no import
    from inspect import signature

    if "." in label and owner is not None:
        name = owner.__name__ if isinstance(owner, type) else type(owner).__name__
        shown = f"{name}.{function.__name__}()".replace(".__init__", "").replace(".__new__", "")
    parameters = signature(function).parameters
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    unknown = [] if takes_any else [name for name in names if name not in parameters]
    if message.startswith(label) and [*parameters] == ["cls", "text"]:
        error.args = (describe_constructor(shown.removesuffix("()")),)
    elif unknown:
        known = [name for name, one in parameters.items() if one.kind is not one.POSITIONAL_ONLY]
        error.args = (f"{shown} {describe_unknown(unknown[0], known)}",)
    elif message.startswith(label):
        by_name = any(one.kind is one.KEYWORD_ONLY for one in parameters.values())
        advice = ": pass the others by name" if by_name and message.endswith("given") else ""
        error.args = (shown + message.removeprefix(label) + advice,)


def explain_call(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does the same, and rewords the errors of wrong calls."""
    from functools import wraps

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError as error:
            reword_call_error(error, function, next(iter(arguments), None), named)
            raise

    return call
