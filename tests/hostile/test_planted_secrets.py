"""Secrets that are planted in mutated URLs are replaced, and nothing else is.

The environment variable `URIVERSE_MUTANTS` sets the number of URLs.
"""

from __future__ import annotations

import os
import re
from random import Random
from urllib.parse import quote

from amounts import scaled

from uriverse import redact
from uriverse.redaction.secrets import SOURCES

COUNT = int(os.environ.get("URIVERSE_MUTANTS", "0"))

NAMES = [name for _, _, names in SOURCES for name in names]
#: Parts of URLs, in which "«" is the place of a secret.
USERINFOS = ("", "", "", "me:«@", "me:«@", ":«@", "é%20e:«@", "12:«@")
HOSTS = (
    "a.example",
    "a.example:8080",
    "[::1]",
    "[::1",
    "[2001:db8::1]:80",
    "bücher.example",
    "a_b",
)
PATHS = (
    "/",
    "/a/b.html",
    "/a;b=c/d",
    "/a;jsessionid=«",
    "/a;SID=«/b",
    "/@me/a:b",
    "/^{a}|b",
    "\\a",
)
NEUTRAL = ("page=2", "q=a%20b", "utm_source=x", "b", "b=", "=c", "pageToken=3", "X-Amz-Date=2026")
SCHEMES = ("https:", "HTTP:", "ftp:", "x-y:", "http:http:", "")
SLASHES = ("//", "//", "//", "\\\\", "/\\", "////")
BEFORE = ("", "", "GET ", '{"url": "', "<", "see `", "\t", "user=me ")
AFTER = ("", "", " 200", '"}', ">", "`", "\r\n", " and me@a.example")


def written(name: str, random: Random) -> str:
    """Return another spelling of the name of a parameter."""
    kind = random.randrange(5)
    if kind == 0:
        return name.upper()
    if kind == 1:
        return name.replace("_", "-")
    if kind == 2:
        place = random.randrange(len(name))
        return f"{name[:place]}%{ord(name[place]):02x}{name[place + 1 :]}"
    return f"user[{name}]" if kind == 3 and name.endswith(("token", "secret", "password")) else name


def parameters(random: Random) -> str:
    """Return parameters, some of them with secrets."""
    drawn = [
        f"{written(random.choice(NAMES), random)}=«"
        if random.random() < 0.4
        else random.choice(NEUTRAL)
        for _ in range(random.randrange(4))
    ]
    return "&".join(drawn)


def url(random: Random) -> str:
    scheme, slashes = random.choice(SCHEMES), random.choice(SLASHES)
    authority = random.choice(USERINFOS) + random.choice(HOSTS)
    text = scheme + slashes + authority + random.choice(PATHS)
    for delimiter in "?#":
        if random.random() < 0.6:
            text += delimiter + parameters(random)
    return text


def test_planted_secrets_are_replaced_and_nothing_else() -> None:
    random = Random(19)
    for number in range(COUNT or scaled(5000)):
        secret = f"s3cr{number}" + random.choice(
            ("", "%2F%3D", "+/=", "-._~", "é", "%C3%A9", ":x", "!x")
        )
        template = url(random)
        text, shown = template.replace("«", secret), template.replace("«", "REDACTED")
        before, after = random.choice(BEFORE), random.choice(AFTER)
        if random.random() < 0.3 and "&" not in template.partition("?")[0]:
            # Only ASCII passwords and no ambiguous delimiters, because the delimiters are encoded.
            for _ in range(random.randint(1, 3)):
                text, secret = quote(text, safe=""), quote(secret, safe="")
            found = redact(f"{before}https://host/?next={text}&page=2{after}")
            assert secret not in found, template
            assert found.endswith(f"&page=2{after}"), template
        elif not re.search(r"\\|////|http:http:", template) and "+/=" not in secret:
            assert redact(before + text + after) == before + shown + after
        else:
            assert secret not in redact(before + text + after), template
