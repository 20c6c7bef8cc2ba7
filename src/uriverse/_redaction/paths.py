"""Find secrets in paths: the addresses of webhooks and bots, and links that log people in."""

from __future__ import annotations

from uriverse._lazy import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .userinfo import Span

#: Segments before a secret, in lower case. Other segments may be between them.
WORDS = (
    # Webhooks of chats and of other services.
    *("hook", "hooks", "webhook", "webhooks", "webhookb2", "incoming", "services", "triggers"),
    *("workflows", "build_hooks", "deploy_hooks", "deploy", "heartbeat", "integrations", "inputs"),
    # Links in messages, with which people log in, confirm an address or choose a new password.
    *("magic", "magiclink", "magic-link", "magic_link"),
    *("reset", "resetpassword", "reset-password", "reset_password"),
    *("password", "passwordreset", "password-reset", "password_reset", "recover"),
    *("verify", "verifyemail", "verify-email", "verify_email", "confirm", "confirmation"),
    *("activate", "invite", "invitation", "welcome", "login", "log-in", "signin", "sign-in"),
    *("token", "key", "ticket", "trusted", "unsubscribe"),
)

#: A slash, which may be percent-encoded in a nested URI.
SLASH = "(?:/|%(?:25)*+2[Ff])"

#: A segment that is one of the words, and the segments after it.
AFTER_WORD = lazy_pattern(
    rf"(?ai:{SLASH}(?:{'|'.join(WORDS)})(?={SLASH}))([^\x00-\x20\x7f\"<>`?#&]++)"
)

#: A segment that looks random: it is long and contains a digit, or it is very long.
RANDOM = lazy_pattern(rf"{SLASH}((?=[^/%]*[0-9])[\w.~:=@+-]{{10,}}+|[\w.~:=@+-]{{24,}}+)")

#: The number and the key of a Telegram bot.
BOT = lazy_pattern(rf"{SLASH}bot([0-9]+(?::|%(?:25)*+3[Aa])[A-Za-z0-9_-]+)")


def path_secrets(text: str) -> Iterator[Span]:
    """Find secrets in the paths of URIs, by the segment before them and by their form."""
    for bot in BOT.finditer(text):
        yield bot.span(1)
    for rest in AFTER_WORD.finditer(text):
        for segment in RANDOM.finditer(text, *rest.span(1)):
            yield segment.span(1)
