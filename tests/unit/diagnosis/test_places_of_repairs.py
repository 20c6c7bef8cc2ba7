import pytest

from uriverse import repair

#: Strings with the changes to them, and those if non-ASCII characters are kept. Each change is
#: the first letter of its kind, its start and its end.
ROWS: list[tuple[str, str, str | None]] = [
    ("http://a/b c^", "e10-11, e12-13", None),
    ("  http://a/b\tc d\n", "t0-2, r12-13, e14-15, t16-17", None),
    ("a/ b\n\n c\n", "e2-3, r4-6, e6-7, t8-9", None),
    ("http://a/b\r\nc\\d?e f#g\nh \n", "r10-12, b13-14, e17-18, r21-22, t23-25", None),
    ("http://a/\\\\ \\?\\#\\", "b9-11, e11-12, b12-13, e14-15, e16-17", None),
    *(("http://a/b?\t\r\n#", "r11-14", None), (" \n/\n \n", "t0-2, t3-6", None)),
    ("http://a/é b", "e9-11", "e10-11"),
    ("http://a/é€ b<c>\U0001f600^", "e9-12, e13-14, e15-18", "e11-12, e13-14, e15-16, e17-18"),
    ("http://u^é<p@a/", "e8-11", "e8-9, e10-11"),
    ("/é\t\té\n^", "e1-2, r2-4, e4-5, r5-6, e6-7", "r2-4, r5-6, e6-7"),
    *(("/%zz%é%", "e1-2, e4-7", "e1-2, e4-5, e6-7"), ("http://a/é\n ", "e9-10, t10-12", "t10-12")),
    ("?\ue000\ue001 a", "e1-4", "e3-4"),
    # More changes than the kernel has room for at first.
    ("/" + "a|" * 40, ", ".join(f"e{k}-{k + 1}" for k in range(2, 82, 2)), None),
]


@pytest.mark.parametrize("iri", [False, True])
@pytest.mark.parametrize(("text", "spans", "spans_in_iri"), ROWS)
def test_changes_are_where_they_were_in_the_input(
    text: str, spans: str, spans_in_iri: str | None, iri: bool
) -> None:
    repaired = repair(text, iri=iri)
    found = ", ".join(f"{c.kind[0]}{c.start}-{c.end}" for c in repaired.changes)
    assert found == (spans_in_iri if iri and spans_in_iri else spans)
    # Together, the changes turn the input into the result.
    for change in reversed(repaired.changes):
        assert change.before == text[change.start : change.end]
        text = text[: change.start] + change.after + text[change.end :]
    assert text == str(repaired)
