import json
import os
import sys
from typing import Any

from answers import answer, answer_json, deciding, destinations
from answers import comparison as comparing
from answers.dividing import divided
from answers.reading import LONGEST, MOST_ROWS, PARTS
from hypothesis import example, given
from hypothesis import strategies as st
from interpreters import run_python
from strategies import produced, references

from uriverse import check, is_iri_reference, parse, split
from uriverse.diagnosis import PROFILES

ANY_TEXT = st.text(st.characters(), max_size=30) | references()


DOTS = st.sampled_from([True, "all", False])


def browser(href: str | None) -> dict[str, Any]:
    """Return the reading of a browser that normalizes a string to a URL, or rejects it."""
    parts = split(href or "")
    userinfo, at, host = (parts.authority or "").rpartition("@")
    components = {
        "scheme": parts.scheme,
        "path": parts.path,
        "query": parts.query,
        "port": None,
        "userinfo": userinfo if at else None,
        "fragment": parts.fragment,
        "host": None if parts.authority is None else host,
    }
    return {"href": href, "components": components if href else dict.fromkeys(components)}


def edited(text: str, kind: str, **arguments: Any) -> str:
    found = answer({"text": text, "edit": {"kind": kind, **arguments}})
    assert found["edit_error"] is None
    result: str = found["text"]
    return result


def compare(text: str, href: str | None, base: str = "") -> dict[str, Any]:
    request = {"text": text, "base": base, "browser": browser(href)}
    found: dict[str, Any] = answer(request)["comparison"]
    return found


@given(ANY_TEXT, ANY_TEXT, st.sampled_from(sorted(PROFILES)))
def test_any_string_has_an_answer(text: str, base: str, profile: str) -> None:
    request = {"text": text, "base": base, "profile": profile, "browser": browser(None)}
    found = json.loads(answer_json(json.dumps(request)))
    assert (found["error"] is None) == is_iri_reference(text) == (found["normal"] is not None)
    assert len(found["findings"]["rows"]) == len(check(text, profile))
    assert set(found) >= set(PARTS)


@given(ANY_TEXT, st.sampled_from(["repair", "normalize", "to_uri", "to_uri_idna", "to_iri"]))
def test_edits_give_valid_identifiers_or_errors(text: str, kind: str) -> None:
    found = answer({"text": text, "edit": {"kind": kind}})
    if found["edit_error"] is None:
        assert is_iri_reference(found["text"])
    else:
        assert found["text"] is None


@given(references())
@example("A://%00:/@:A")
def test_components_cover_their_strings(text: str) -> None:
    for part in answer({"text": text})["components"]:
        assert text[part["start"] : part["end"]] == part["text"]
        assert part["section"].startswith("RFC 398")


def test_long_strings_and_tables_are_cut_and_the_cut_is_counted() -> None:
    text = f"http://a/{'b/' * 3000}?{'c=1&' * 3000}"
    found = answer({"text": text})
    path = next(part for part in found["components"] if part["name"] == "path")
    assert len(path["text"]) == LONGEST
    assert path["missing"] == 6001 - LONGEST
    assert len(found["segments"]["rows"]) == len(found["params"]["rows"]) == MOST_ROWS
    assert found["segments"]["total"] == 3002
    assert found["params"]["total"] == 3000
    assert edited(text, "normalize") == text


def test_only_the_requested_parts_are_computed() -> None:
    found = answer({"text": "http://a/", "parts": ["forms"]})
    assert set(found) & set(PARTS) == {"forms"}
    assert found["type"] == "URI"
    assert set(answer({"text": "http://a/", "parts": []})) & set(PARTS) == set()


@given(produced("IRI-reference"))
def test_valid_strings_are_divided_as_they_are_parsed(text: str) -> None:
    known = answer({"text": text, "parts": []})["components"]
    assert list(divided(text)) == [(part["name"], part["start"], part["end"]) for part in known]


@given(ANY_TEXT)
def test_the_components_of_an_invalid_string_stand_before_at_or_after_the_error(text: str) -> None:
    found = answer({"text": text, "parts": []})
    for part in found["components"]:
        if found["error"] is None:
            assert part["state"] == "valid"
        elif part["state"] == "valid":
            assert part["end"] <= found["error"]["position"]
        elif part["state"] == "invalid":
            assert part["name"] == found["error"]["component"]
        assert text[part["start"] : part["end"]].startswith(part["text"])


def test_the_components_of_a_rejected_string_are_known_as_far_as_possible() -> None:
    found = answer({"text": "http://a/b c?d", "parts": []})["components"]
    assert {part["rule"] for part in found} == {None}
    assert [(part["name"], part["state"]) for part in found] == [
        *(("scheme", "valid"), ("authority", "valid"), ("host", "valid")),
        *(("path", "invalid"), ("query", "unchecked")),
    ]


def test_an_error_has_its_drawing_and_its_repair() -> None:
    found = answer({"text": "http://a/b c"})
    assert found["error"]["position"] == 10
    assert found["error"]["drawing"] == ["  http://a/b c", "            ^"]
    assert found["repair"]["text"] == "http://a/b%20c"
    [change] = found["repair"]["changes"]["rows"]
    assert (change["kind"], change["start"], change["before"]["text"]) == ("encode", 10, " ")
    assert edited("http://a/b c", "repair") == "http://a/b%20c"


def test_a_string_that_cannot_be_repaired_has_a_code() -> None:
    text = "http://good.example\\@evil.example/"
    assert answer({"text": text})["repair"]["code"] == "backslash"
    found = answer({"text": text, "edit": {"kind": "repair"}})
    assert found["text"] is None
    assert found["edit_error"]["component"] == "userinfo"


def test_a_misleading_host_is_shown_as_people_see_it() -> None:
    found = answer({"text": "https://www.XN--80ak6aa92e.com/", "parts": ["findings"]})["findings"]
    assert found["severities"] == {"warning": 1}
    looks = found["lookalike"]
    assert looks["looks"]["text"] == "www.\u0430\u0440\u0440\u04cf\u0435.com"
    assert looks["host"]["text"] == "www.XN--80ak6aa92e.com"
    assert looks["letters"]["rows"][0] == {"letter": "\u0430", "name": "CYRILLIC SMALL LETTER A"}


def test_other_hosts_are_no_lookalikes() -> None:
    for text in ("http://a.example/", "a", "http://a b/", "http://b\u00fccher.example/"):
        assert answer({"text": text, "parts": ["findings"]})["findings"]["lookalike"] is None


def test_an_invalid_label_of_a_misleading_host_stays_in_ascii() -> None:
    host = "xn--80ak6aa92e.xn--99999999.example"
    looks = answer({"text": f"http://{host}/", "parts": ["findings"]})["findings"]["lookalike"]
    assert looks["looks"]["text"] == "\u0430\u0440\u0440\u04cf\u0435.xn--99999999.example"


def test_libraries_are_grouped_by_the_host_that_they_find() -> None:
    text = "http://good.example\\@evil.example/"
    groups = {group["target"]: group for group in answer({"text": text})["destinations"]}
    assert groups[None]["programs"][0].startswith("uriverse ")
    [standard] = [name for name in groups["evil.example"]["programs"] if "urllib.parse" in name]
    assert standard
    assert groups["evil.example"]["components"]["userinfo"] == "good.example\\"


def test_libraries_are_read_without_ssl_as_in_a_browser() -> None:
    code = (
        "import sys; sys.modules['ssl'] = None; from answers import answer;"
        "print(answer({'text': 'http://a/', 'parts': ['destinations']})['destinations'])"
    )
    done = run_python("-c", code, env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    assert "urllib.parse" in done.stdout, done.stderr


def test_long_strings_are_not_read_by_other_libraries() -> None:
    assert answer({"text": "a" * (destinations.LONGEST + 1)})["destinations"] is None


def decided(text: str, **rules: str) -> dict[str, Any]:
    found: dict[str, Any] = answer({"text": text, "policy": rules, "parts": ["policy"]})["policy"]
    return found


def test_a_policy_tells_its_decision_and_the_rule() -> None:
    rules = {"allow": "*.example.org\n\n https://api.example.com/v1/ ", "deny": "b.example.org"}
    decision = {"allowed": True, "uri": "http://a.example.org/~b", "rule": "*.example.org"}
    empty = {"error": None, "code": "", "reason": "", "hint": ""}
    assert decided("http://a.example.org/%7Eb", **rules) == decision | empty
    assert decided("http://b.example.org/", **rules)["rule"] == "b.example.org"
    assert decided("https://api.example.com/v2/", **rules)["code"] == "path-not-allowed"
    # Without rules, a policy allows public hosts.
    assert decided("http://a.example.com/")["allowed"]
    assert decided("http://127.0.0.1/")["code"] == "scope-not-allowed"
    assert "example.com*" in decided("http://a/", allow="a.example\nexample.com*")["error"]
    assert answer({"text": "a" * (deciding.LONGEST + 1)})["policy"] is None
    request = {"text": "../b", "base": "http://a.example.com/c/", "parts": ["policy"]}
    assert answer(request)["policy"]["uri"] == "http://a.example.com/b"
    assert answer({**request, "base": "c"})["policy"]["error"]


@given(
    produced("IRI-reference"), st.booleans(), st.booleans(), st.sampled_from([True, "all", False])
)
def test_steps_are_the_options_of_normalize(text: str, case: bool, scheme: bool, dots: Any) -> None:
    steps = {"case": case, "scheme": scheme, "dot_segments": dots}
    found = answer({"text": text, "steps": steps})["normal"]
    assert found["text"] == str(parse(text).normalize(**steps))
    assert found["changed"] == any(step["changes"] for step in found["steps"])


def test_forms_that_do_not_exist_have_an_error() -> None:
    forms = {form["name"]: form for form in answer({"text": "http://\u00e4\u2024/"})["forms"]}
    assert forms["to_uri"]["error"] is None
    assert forms["to_uri_idna"]["error"]["component"] == "host"


def test_a_base_without_a_scheme_is_an_error_for_every_reference() -> None:
    for text in ("a", "http://a/", "a b"):
        found = answer({"text": text, "base": "b", "browser": browser(None)})
        assert "missing scheme" in found["resolution"]["base_error"]["reason"]
        assert found["comparison"] is None


def test_a_reference_is_resolved_and_made_relative_again() -> None:
    found = answer({"text": "../g", "base": "http://a/b/c/d"})["resolution"]
    assert found["target"]["text"] == "http://a/b/g"
    assert found["relative"]["text"] == "../g"
    base = {"text": "../g", "base": "http://a/b/c/d"}
    assert answer({**base, "edit": {"kind": "resolve"}})["text"] == "http://a/b/g"
    assert answer({**base, "edit": {"kind": "relative"}})["text"] == "../g"


# --- edits of segments and parameters


@given(produced("URI"), st.data())
def test_setting_a_segment_to_its_data_keeps_other_bytes(text: str, data: st.DataObject) -> None:
    segments = parse(text).segments
    rows = [row for row in answer({"text": text})["segments"]["rows"] if not row["fixed"]]
    if not rows:
        return
    row = data.draw(st.sampled_from(rows))
    found = answer(
        {"text": text, "edit": {"kind": "set-segment", "index": row["index"], "value": "n/w"}}
    )
    if found["edit_error"] is None:
        raw = list(segments.raw)
        raw[row["index"]] = "n%2Fw"
        assert found["text"] == str(parse(text).with_path("/".join(raw)))


@given(produced("IRI"), st.data(), st.text(max_size=5).filter(lambda text: text.isascii()))
def test_editing_a_parameter_changes_only_that(text: str, data: st.DataObject, value: str) -> None:
    text = text.partition("#")[0].partition("?")[0] + "?a=%7e&&b&c=x+y&=%7E&%61"
    index = data.draw(st.integers(0, 4))
    start, end = [("?a=", "&&b&c"), ("&&b", "&c"), ("&c=", "&=%"), ("&=", "&%61"), ("&%61", "")][
        index
    ]
    new = edited(text, "set-value", index=index, value=value)
    before = text[: text.index(start) + len(start)]
    assert new.startswith(before)
    assert new.endswith(text[text.index(end) :] if end else "")
    rows = answer({"text": new})["params"]["rows"]
    assert rows[index]["value"] == value
    renamed = edited(text, "set-name", index=index, value=value)
    old_rows = answer({"text": text})["params"]["rows"]
    new_rows = answer({"text": renamed})["params"]["rows"]
    assert new_rows[index]["name"] == value
    assert new_rows[index]["value"] == old_rows[index]["value"] or not value
    assert new_rows[:index] + new_rows[index + 1 :] == old_rows[:index] + old_rows[index + 1 :]


def test_parameters_and_segments_are_added_and_removed() -> None:
    text = "http://a/%7eb/c?x=%7e&&y#f"
    assert edited(text, "remove-param", index=0) == "http://a/%7eb/c?&y#f"
    assert edited("http://a/?x", "remove-param", index=0) == "http://a/"
    assert edited(text, "add-param", name="n m", value="&") == "http://a/%7eb/c?x=%7e&&y&n+m=%26#f"
    assert edited(text, "remove-segment", index=1) == "http://a/c?x=%7e&&y#f"
    assert edited(text, "add-segment", value="d/e").startswith("http://a/%7eb/c/d%2Fe")


def test_an_edit_that_is_not_possible_changes_nothing() -> None:
    found = answer({"text": "/a/b", "edit": {"kind": "set-segment", "index": 1, "value": ".."}})
    assert (found["text"], found["edit_error"]["component"]) == (None, "path")
    # The row may have been removed.
    assert edited("/a", "set-segment", index=9, value="x") == "/a"
    assert edited("?a=1", "remove-param", index=1) == "?a=1"


# --- the comparison with the browser


def test_components_are_compared_with_those_of_the_browser() -> None:
    for text, href, expected in [
        (
            "HTTP://B\u00fccher.example:80/a/../b\u00e9?q",
            "http://xn--bcher-kva.example/b%C3%A9?q",
            {
                "scheme": "equivalent: upper and lower case",
                "host": "equivalent: Punycode",
                "port": "equivalent: default port",
                "path": "equivalent: percent-encoding, dot segments",
            },
        ),
        ("http://a", "http://a/", {"path": "equivalent: empty path"}),
        ("x://me:@a", "x://me@a", {"userinfo": "equivalent: empty password"}),
        ("http://a/?'", "http://a/?%27", {"query": "encoded: "}),
        # A URL of the browser may be invalid.
        ("foo:a", "foo:a b|", {"path": "different: "}),
        # An invalid string is compared after its repair.
        ("http://a/b c", "http://a/b%20c", {}),
    ]:
        found = compare(text, href)
        rows = {
            row["component"]: f"{row['status']}: {', '.join(row['reasons'])}"
            for row in found["rows"]
        }
        assert {name: row for name, row in rows.items() if row != "same: "} == expected
        assert (found["status"] == "repaired") == (" " in text)


def test_a_difference_has_the_finding_that_explains_it() -> None:
    found = compare("http://0x7f.1/", "http://127.0.0.1/")
    [host] = [row for row in found["rows"] if row["status"] == "different"]
    assert (host["component"], host["findings"]) == ("host", ["ipv4-hex"])
    assert "hexadecimal" in found["findings"]["ipv4-hex"]
    # The difference may follow from another component.
    rows = compare("http:/a/b", "http://a/b")["rows"]
    findings = {row["component"]: row["findings"] for row in rows}
    assert "slash-count" in findings["host"]
    assert "slash-count" in findings["path"]


def test_a_rejected_string_is_split_at_its_delimiters() -> None:
    found = compare("http://good.example\\@x:1", "http://good.example/@x")
    assert (found["status"], found["problem"]["code"]) == ("rejected", "backslash")
    ours = {row["component"]: row["ours"] for row in found["rows"]}
    assert (ours["userinfo"], ours["host"], ours["port"]) == ("good.example\\", "x", "1")


def test_a_string_that_the_browser_rejects_has_findings() -> None:
    found = compare("http://a:99999/", None)
    assert {row["status"] for row in found["rows"]} == {"rejected"}
    assert list(found["findings"]) == ["port-huge"]


def test_both_resolve_against_the_base_and_long_strings_are_not_compared() -> None:
    rows = compare("../c", "http://a/c", "http://a/b/")["rows"]
    assert {row["status"] for row in rows} == {"same"}
    assert compare("http://a/" + "b" * comparing.LONGEST_COMPARED, "http://a/") is None
