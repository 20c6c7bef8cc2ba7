import logging

import pytest

from uriverse import Policy, PolicyError, redact
from uriverse.logs import RedactingFilter

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

#: URLs with a secret, which is `hunter2` or a token, in every notation of userinfo.
URLS = (
    *(f"https://{TOKEN}@github.com/o/r", f"https://{TOKEN}:x-oauth-basic@github.com/o/r"),
    *("https://ghp_16C7@github.com/o/r", "https://0a1b2c3d4e5f60718293@h.example/"),
    "https://glpat-hunter2@h.example/",
    *(f"https://u{colon}hunter2@h.example/" for colon in ":;,\uff1a\ufe55\ufe13"),
    *("https://u%3Ahunter2@h.example/", "https://u%3ahunter2@h.example/"),
    *(f"https://u:{end}hunter2@h.example/" for end in "/?#"),
    "git+ssh://u;hunter2@h.example/",
)
SECRETS = ("hunter2", "16C7", "718293")


def test_logs_show_no_secret_in_userinfo_but_ordinary_user_names() -> None:
    for url in URLS:
        record = logging.makeLogRecord({"msg": "open %s", "args": (url,)})
        RedactingFilter().filter(record)
        assert not [s for s in SECRETS if s in record.getMessage()], url
        assert not [s for s in SECRETS if s in redact(f"in '{url}', twice")], url
    # Ordinary user names are shown in logs.
    for name in ("joe", "git", "joe.smith1985", "firstname-lastname-of-a-person", "skip", "hfx"):
        assert redact(f"https://{name}@h.example/") == f"https://{name}@h.example/"
        assert redact(f"https://{name}:pw@h.example/") == f"https://{name}:REDACTED@h.example/"


@pytest.mark.parametrize("url", [*URLS, "https://joe@h.example/", "https://joe:%@h.example/"])
def test_decisions_and_errors_show_no_userinfo(url: str) -> None:
    policies = (Policy(), Policy(userinfo=True), Policy(userinfo=True, unambiguous=False))
    for policy in policies:
        decision = policy.decide(url)
        shown = [str(decision), repr(decision)]
        if not decision:
            with pytest.raises(PolicyError) as caught:
                policy.enforce(url)
            shown += [str(caught.value), repr(caught.value)]
        for text in shown:
            assert not [s for s in (*SECRETS, "joe", "//u") if s in text], text


def test_decisions_show_no_userinfo_but_paths_and_queries_with_an_at_sign() -> None:
    for text in [
        *("https://hunter2 x@h.example/", "https://hunter2\uff20h.example/"),
        *("https://hunter2%40h.example/", "hunter2@h.example/x", "//hunter2@h.example/"),
        "http:hunter2@h.example",
    ]:
        assert "hunter2" not in str(Policy().decide(text))
    # Decisions show paths and queries with an at sign.
    for url in ("https://h.example/@user/x", "https://h.example:8080/a@b?c@d"):
        for policy in (Policy(), Policy(allow=["a.example"])):
            assert url in str(policy.decide(url))
