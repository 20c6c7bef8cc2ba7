"""Secrets that are planted in mutated URLs and text are replaced, and nothing else is.

The environment variable `URIVERSE_MUTANTS` sets the number of strings. The names of the parameters
come from `SOURCES`, and from the documentation of other software (see `collected_names`). This
command prints which of the collected names and paths leak:

    PYTHONPATH=.:tests/support python tests/hostile/test_planted_secrets.py
"""

import json
import os
import re
import sys
from collections.abc import Callable
from random import Random
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple
from urllib.parse import quote

import pytest
from amounts import scaled
from collected_names import KNOWN, PUBLIC, SECRET, SECRETS_IN_PATHS

from uriverse import redact
from uriverse._redaction.secrets import SOURCES

COUNT = int(os.environ.get("URIVERSE_MUTANTS", "0"))

NAMES = [*(name for _, _, names in SOURCES for name in names), *KNOWN]

#: Parts of URLs, in which "«" is the place of a secret, and "¤" that of the name of a parameter.
USERINFOS = ("", "", "", "me:«@", "me:«@", ":«@", "é%20e:«@", "12:«@")
HOSTS = ("a.example", "a.example:80", "[::1]", "[::1", "[2001:db8::1]:80", "bücher.example", "a_b")
PATHS = (*("/", "/a/b.html", "/a;b=c/d", "/a;¤=«", "/a;¤=«/b", "/@me/a:b", "/^{a}|b", "\\a"),)
NEUTRAL = ("page=2", "q=a%20b", "utm_source=x", "b", "b=", "=c", "pageToken=3", "X-Amz-Date=2026")
SCHEMES = ("https:", "HTTP:", "ftp:", "x-y:", "http:http:", "")
SLASHES = ("//", "//", "//", "\\\\", "/\\", "////")
ROUTES = ("", "", "", "/route?", "!/", "?")
BEFORE = ("", "", "GET ", '{"url": "', "<", "see `", "\t", "user=me ")
AFTER = ("", "", " 200", '"}', ">", "`", "\r\n", " and me@a.example")

#: The end of a secret, after a marker that occurs nowhere else.
TAILS = ("", "%2F%3D", "+/=", "-._~", "é", "%C3%A9", ":x", "!x")

#: Log lines and documents, with `{}` in place of a URL.
LINES = (
    "2026-11-23T10:00:00Z INFO fetched {} in 12 ms",
    *("level=info status=200 url={} user=me@a.example", 'level=info url="{}" status=200'),
    'HTTP Request: GET {} "HTTP/1.1 200 OK"',
    '203.0.113.9 - me [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12 "{}" "Mozilla/5.0"',
    *('"1","{}","200"', "1\t{}\t200", "curl -sS '{}' -o a.json", "> GET {} HTTP/2"),
    *("Location: {}\r\nContent-Length: 0\r\n", "Link: <{}>; rel=next", "opened URI('{}')"),
    *("[a link]({}) and <{}>", '<a href="{}">here</a>', "see {}, or {}.", "{}\n{}\n"),
)

#: User names before a password, also those of Windows domains and mail addresses.
USERS = ("me", "", "CORP\\joe", "CORP%5Cjoe", "joe@corp.example", "é%20e", "12", "a+b", "joe$")

#: Characters that people write into passwords without percent-encoding.
WRITTEN = "abcXYZ019-._~!$&'()*+,;=:@/?#[]\"<>`\\^{|}%"


class Planted(NamedTuple):
    """A string with secrets: their markers must not remain, and the end of the string must.

    It is redacted as `shown`, or in any way if their extent is ambiguous.
    """

    text: str
    markers: tuple[str, ...]
    shown: str | None
    end: str = ""


def written(name: str, random: Random) -> str:
    """Return another spelling of the name of a parameter."""
    place = random.randrange(len(name))
    spellings = (
        *(name, name, name.upper(), name.lower(), name.replace("_", "-")),
        *(f"{name[:place]}%{ord(name[place]):02x}{name[place + 1 :]}", f"user[{name}]"),
        *(f"user%5B{name}%5D", f"login[user][{name}]", f"{name}[0]", f"{name}[]"),
    )
    return random.choice(spellings)


def parameters(random: Random) -> str:
    drawn = ["¤=«" if random.random() < 0.4 else random.choice(NEUTRAL) for _ in range(4)]
    return "&".join(drawn[: random.randrange(4)])


def url(random: Random) -> str:
    """Return a URL, often invalid, with `«` in place of its secrets."""
    scheme, slashes = random.choice(SCHEMES), random.choice(SLASHES)
    authority = random.choice(USERINFOS) + random.choice(HOSTS)
    text = scheme + slashes + authority + random.choice(PATHS)
    for delimiter in "?#":
        if random.random() < 0.6:
            route = random.choice(ROUTES) if delimiter == "#" else ""
            text += delimiter + route + parameters(random)
    return re.sub("¤", lambda _: written(random.choice(NAMES), random), text)


def is_ambiguous(template: str, secret: str = "") -> bool:
    """Return whether it is unclear how far the secrets in a URL extend."""
    return "+/=" in secret or bool(re.search(r"\\|////|http:http:", template))


def planted(template: str, marker: str, secret: str, *, ambiguous: bool = False) -> Planted:
    shown = None if ambiguous else template.replace("«", "REDACTED")
    return Planted(template.replace("«", secret), (marker,), shown)


def in_urls(random: Random, marker: str) -> Planted:
    template, secret = url(random), marker + random.choice(TAILS)
    ambiguous = is_ambiguous(template, secret)
    template = random.choice(BEFORE) + template + random.choice(AFTER)
    return planted(template, marker, secret, ambiguous=ambiguous)


def in_nested_urls(random: Random, marker: str) -> Planted:
    template, secret = url(random), marker + random.choice(TAILS)
    # An "&" in the path would end the value that contains the URL.
    while "&" in template.partition("?")[0]:
        template = url(random)
    # A semicolon could also start a parameter of the outer query, and an encoded slash in a
    # password could end the authority before another "@".
    ambiguous = is_ambiguous(template, secret) or ";" in template or "/@" in template
    return nested(planted(template, marker, secret, ambiguous=ambiguous), random)


def nested(case: Planted, random: Random) -> Planted:
    """Return the value of a parameter that is percent-encoded up to three times, with its URL."""
    text, markers, shown, _ = case
    for _ in range(random.randint(1, 3)):
        text, shown = quote(text, safe=""), shown and quote(shown, safe="")
    before, after = random.choice(BEFORE), "&page=2" + random.choice(AFTER)
    before += f"https://host/{random.choice('?#')}next="
    return Planted(before + text + after, markers, shown and before + shown + after, after)


def in_json(random: Random, marker: str) -> Planted:
    template, secret = url(random), marker + random.choice(TAILS)
    ascii_only, depth = random.random() < 0.5, random.randint(1, 2)
    # Other programs escape these characters, for example those of Go and PHP.
    escapes = random.choice(({}, {"&": r"\u0026"}, {"&": r"\u0026", "=": r"\u003D"}, {"/": r"\/"}))

    def document(part: str) -> str:
        for _ in range(depth):
            record = {"level": "INFO", "code": 200, "url": part, "referer": part}
            part = json.dumps(record, ensure_ascii=ascii_only)
            for character, escape in escapes.items():
                part = part.replace(character, escape)
        return part

    text, shown = (document(template.replace("«", part)) for part in (secret, "REDACTED"))
    # The backslash of an escape could end the authority before another "@", or a path segment.
    ambiguous = is_ambiguous(template, secret) or "/@" in template
    ambiguous |= ascii_only and "é" in secret and ";" in template
    return Planted(text, (marker,), None if ambiguous else shown)


def in_lines(random: Random, marker: str) -> Planted:
    template, secret = url(random), marker + random.choice(TAILS)
    ambiguous = is_ambiguous(template, secret)
    template = random.choice(LINES).replace("{}", template)
    return planted(template, marker, secret, ambiguous=ambiguous)


def in_userinfos(random: Random, marker: str) -> Planted:
    user, host = random.choice(USERS), random.choice(HOSTS)
    scheme = random.choice(("https://", "http://", "ftp://", "postgresql://", "//"))
    before, after = random.choice((("", ""), ("", ""), ("GET ", " 200"), ("url=", "\n")))
    middle, end = "".join(random.choices(WRITTEN, k=random.randint(0, 6))), marker[::-1]
    if re.search(r"@.*[/?#\\]", middle):
        middle = middle.replace("@", "")  # After an "@", a delimiter ends the host of a valid URI.
    if re.search(r"@[\w.~%\[\]-]+[\"<>`].*[\"<>`]", middle):
        middle = middle.replace("@", "")  # Quotation marks after a host end the URI in a document.
    if re.search(r"\"[}\]]*[,:][\[{]*\\*\"", middle):
        middle = middle.replace('"', "")  # Another string of JSON or CSV starts.
    template = f"{before}{scheme}{user}:«@{host}/a?page=2{after}"
    # The user name may end at any colon, and the host may start after any "@".
    ambiguous = "@" in user + middle
    text, _, shown, _ = planted(template, marker, marker + middle + end, ambiguous=ambiguous)
    case = Planted(text, (marker, end), shown)
    return nested(case, random) if not before and "&" not in middle else case


FORMS = (in_urls, in_nested_urls, in_json, in_lines, in_userinfos)


@pytest.mark.parametrize("form", FORMS)
def test_only_planted_secrets_are_replaced(form: Callable[[Random, str], Planted]) -> None:
    random, count = Random(19), COUNT // len(FORMS) or scaled(2000)
    leaking, different = [], []
    for number in range(count):
        # The marker starts with a letter, because a password that looks like a port stays.
        text, markers, shown, end = form(random, f"s3cr{number}x")
        found = redact(text)
        if any(marker in found for marker in markers):
            leaking.append(text)
        elif found != shown if shown else not found.endswith(end):
            different.append(text)
    sys.stdout.write(f"of {count} strings, {len(leaking)} leak, {len(different)} differ\n")
    assert leaking[:5] == []
    assert different[:5] == []


def test_collected_names_are_many_and_from_many_services() -> None:
    secret = {entry["name"].lower() for entry in SECRET}
    public = {entry["name"].lower() for entry in PUBLIC}
    assert len(secret) >= 300
    assert len({entry["service"] for entry in SECRET}) >= 60
    assert len(public) >= 60
    assert not secret & public
    sys.stdout.write(report())


def test_planted_secrets_in_paths_of_documented_services_are_replaced() -> None:
    random = Random(19)
    documented = [
        entry
        for entry in SECRETS_IN_PATHS
        if re.match("Telegram|Slack|Discord|Microsoft Teams", entry["service"])
    ]
    assert len(documented) == 6
    for _ in range(scaled(200)):
        for entry in documented:
            secret = alike(entry["secret"], random)
            text = entry["url"].replace(entry["secret"], secret)
            for line in LINES:
                assert secret not in redact(line.replace("{}", text), paths=True), text


def alike(secret: str, random: Random) -> str:
    kinds = ("0123456789", "abcdef" if re.fullmatch("[0-9a-f-]+", secret) else ascii_lowercase)
    return "".join(
        next(
            (random.choice(kind) for kind in (*kinds, ascii_uppercase) if character in kind),
            character,
        )
        for character in secret
    )


def report() -> str:
    """Return how many of the collected secrets `redact` misses, and which."""
    unknown = [entry["name"] for entry in SECRET if entry["name"] not in KNOWN]
    leaking = [name for name in unknown if "s3cr" in redact(f"https://a.example/?{name}=s3cr")]
    masked = [
        entry["name"]
        for entry in PUBLIC
        if "s3cr" not in redact(f"https://a.example/?{entry['name']}=s3cr")
    ]
    shown = [
        entry["service"]
        for entry in SECRETS_IN_PATHS
        if entry["secret"] in redact(entry["url"], paths=True)
    ]
    return "".join(
        f"{len(found)} of {len(total)} {what}: {', '.join(found) or 'none'}\n"
        for found, total, what in (
            (leaking, SECRET, "collected names of secrets leak"),
            (masked, PUBLIC, "names of public values are treated as secrets"),
            (shown, SECRETS_IN_PATHS, "forms of secrets in paths leak"),
        )
    )


if __name__ == "__main__":
    sys.stdout.write(report())
