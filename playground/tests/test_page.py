import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playgrounds import SITE, Playground
from playwright.sync_api import Browser, Route

ROOT = Path(__file__).resolve().parents[2]


#: The address of the page with the example that it shows first.
FIRST = "http://good.example\\@evil.example/"


def test_the_first_view_answers_before_python_is_loaded(browser: Browser, address: str) -> None:
    playground = Playground(browser, address)
    playground.page.context.route("**/python/**", lambda _: None)
    page = playground.open().page
    playground.wait("document.querySelector('#stored li')")
    assert playground.value == FIRST
    assert page.inner_text("#validity") == "Not checked for errors yet"
    assert page.is_visible("#progress")
    assert page.is_hidden("#sections")
    sentence = "Programs find different hosts: good.example and evil.example."
    assert playground.text("#host-sentence") == sentence
    assert page.locator("#figure svg").count() == 2
    assert playground.text("#hosts").startswith("good.example this browser, URL Standard (")
    assert "Chromium" in playground.text("#stored")
    page.fill("#text", "http://a.example/b?c")
    assert playground.text("#host-sentence") == "This browser finds the host a.example."
    assert page.locator("#figure .value").all_text_contents() == [
        *("http", "://", "a.example", "/b", "?", "c")
    ]
    playground.close()


def test_python_is_loaded_with_progress(browser: Browser, address: str) -> None:
    playground = Playground(browser, address).open()
    page = playground.page
    playground.wait("document.documentElement.dataset.ready")
    assert page.is_hidden("#loading")
    assert page.evaluate("document.getElementById('progress').value") == 1
    names = {url.rpartition("/")[2].partition("-")[0] for url in playground.requests}
    assert {"pyodide.asm.wasm", "python_stdlib.zip", "uriverse", "idna", "answers.zip"} <= names
    playground.close()


def test_a_link_contains_the_input(browser: Browser, address: str) -> None:
    first = Playground(browser, address).open("#uri=..%2Fa%2520b%2B%23&base=http%3A%2F%2Fx%2Fy")
    first.unfold().wait("document.querySelector('#resolution dd')")
    assert first.value == "../a%20b+#"
    assert "http://x/a%20b+#" in first.text("#resolution")
    first.enter("urn:ex:%7e+é&a=b#😀", base="http://a/", profile="rdf")
    first.page.uncheck("#step-case")
    first.page.check("#step-all-dots")
    first.page.fill("#allow", "*.example.org")
    first.page.click("#copy-link")
    fragment = first.page.evaluate("location.hash")
    first.close()

    second = Playground(browser, address).open(fragment)
    second.wait("document.documentElement.dataset.ready")
    page = second.page
    assert second.value == "urn:ex:%7e+é&a=b#😀"
    assert page.input_value("#base") == "http://a/"
    assert page.input_value("#profile") == "rdf"
    assert not page.is_checked("#step-case")
    assert page.is_checked("#step-all-dots")
    assert page.is_checked("#step-scheme")
    assert page.input_value("#allow") == "*.example.org"
    assert page.evaluate("document.getElementById('policy').open")
    second.close()


def cut_off(route: Route) -> None:
    """Answer with the first half of a file."""
    body = route.fetch().body()
    kind = "application/wasm" if route.request.url.endswith(".wasm") else "text/plain"
    route.fulfill(body=body[: len(body) // 2], content_type=kind)


#: Answers with which the page cannot start Python.
FAILURES: dict[str, Callable[[Route], None]] = {
    "aborted": lambda route: route.abort(),
    "missing": lambda route: route.fulfill(status=404, body="not found"),
    "cut off": cut_off,
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize(
    "name", ["files.json", "pyodide.asm.wasm", "python_stdlib.zip", "answers.zip"]
)
def test_a_failed_download_is_reported(
    browser: Browser, address: str, name: str, failure: str
) -> None:
    playground = Playground(browser, address)
    playground.page.context.route(f"**/{name}", FAILURES[failure])
    playground.open()
    playground.wait("document.getElementById('loading-text').className === 'error-text'")
    assert playground.text("#loading-text").startswith("Python could not be loaded: ")
    assert playground.page.is_hidden("#progress")
    # The console shows the failed request.
    playground.problems.clear()
    playground.close()


def test_the_components_have_their_rules_and_links(playground: Playground) -> None:
    page = playground.enter("http://me@b\u00fccher.example:80/ros\u00e9?q#f")
    rows = page.locator("#anatomy tbody tr")
    assert [row.split() for row in rows.all_inner_texts()] == [
        ["scheme", "scheme", "RFC", "3986,", "3.1", "0–4", "http"],
        ["authority", "iauthority", "RFC", "3987,", "2.2", "7–27", "me@bücher.example:80"],
        ["userinfo", "iuserinfo", "RFC", "3987,", "2.2", "7–9", "me"],
        ["host", "ireg-name", "RFC", "3987,", "2.2", "10–24", "bücher.example"],
        ["port", "port", "RFC", "3986,", "3.2.3", "25–27", "80"],
        ["path", "ipath-abempty", "RFC", "3987,", "2.2", "27–32", "/rosé"],
        ["query", "iquery", "RFC", "3987,", "2.2", "33–34", "q"],
        ["fragment", "ifragment", "RFC", "3987,", "2.2", "35–36", "f"],
    ]
    link = rows.nth(4).locator("a").get_attribute("href")
    assert link == "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3"
    assert "The string matches IRI." in playground.text("#anatomy")


def test_the_figure_shows_each_component_in_its_color(playground: Playground) -> None:
    page = playground.enter("foo://example.com:8042/over/there?name=ferret#nose")
    drawn = page.evaluate(
        """[...document.querySelectorAll("#figure .value")].map(
            (node) => [node.parentNode.dataset.part, node.textContent])"""
    )
    assert drawn == [
        *(["scheme", "foo"], ["", "://"], ["host", "example.com"], ["", ":"], ["port", "8042"]),
        *(["path", "/over/there"], ["", "?"], ["query", "name=ferret"], ["", "#"]),
        ["fragment", "nose"],
    ]
    labels = page.locator("#figure .label").all_text_contents()
    assert sorted(labels) == [
        "authority", "fragment", "host", "path", "port", "query", "scheme"
    ]  # fmt: skip
    colors = page.evaluate(
        """[...document.querySelectorAll("#figure .value")]
            .map((node) => getComputedStyle(node).fill)"""
    )
    assert len(set(colors)) == 7


#: Labels of the figure that cover each other.
OVERLAPPING = """(() => {
  const boxes = [...document.querySelectorAll("#figure .label, #figure .value")]
    .map((node) => [node.textContent, node.getBoundingClientRect()]);
  const found = [];
  for (const [a, one] of boxes) {
    for (const [b, other] of boxes) {
      const apart = one.right <= other.left + 0.5 || other.right <= one.left + 0.5
        || one.bottom <= other.top + 6 || other.bottom <= one.top + 6;
      if (one !== other && !apart) found.push([a, b]);
    }
  }
  return found;
})()"""


@pytest.mark.parametrize(
    "text",
    [
        *("a:b?c#d", "a://b:1?#", "//@:?#", "x://u@h:1/p?q#f"),
        *(
            "http://a/" + "long-segment/" * 9 + "?#",
            "foo://example.com:8042/over/there?name=f#nose",
        ),
    ],
)
def test_labels_of_the_figure_do_not_overlap(playground: Playground, text: str) -> None:
    assert playground.enter(text).evaluate(OVERLAPPING) == []


def test_the_pointer_and_the_focus_highlight_a_component(playground: Playground) -> None:
    page = playground.enter("http://a.example/b?c")
    page.hover("#figure [data-part=path] .value")
    assert page.get_attribute("#results", "data-active") == "path"
    page.locator("#anatomy tbody button", has_text="host").focus()
    assert page.get_attribute("#results", "data-active") == "host"
    plain, active = (
        page.locator(f"#anatomy tr[data-part={part}]").evaluate(
            "(row) => getComputedStyle(row).backgroundColor"
        )
        for part in ("path", "host")
    )
    assert plain != active


def test_a_component_is_selected_in_the_input(playground: Playground) -> None:
    page = playground.enter("http://a/😀/b?cd#e")
    page.locator("#anatomy tbody button", has_text="query").click()
    selected = page.evaluate(
        """(() => { const field = document.activeElement;
        return field.value.slice(field.selectionStart, field.selectionEnd); })()"""
    )
    assert selected == "cd"


def test_an_error_has_a_caret_a_hint_and_a_repair(playground: Playground) -> None:
    page = playground.enter("http://example.com/black&white^ 100%")
    assert 'invalid character "^" in path' in playground.text("#error")
    line, caret = page.inner_text("#error pre").split("\n")
    assert line[caret.index("^")] == "^"
    assert "Hint: percent-encode it as %5E." in playground.text("#error")
    assert playground.text("#error ul").endswith("encode at 30: ^ → %5E%20 encode at 35: % → %25")
    page.click("#error button")
    playground.settle()
    assert playground.value == "http://example.com/black&white%5E%20100%25"
    assert page.is_hidden("#error")


def test_a_rejected_string_has_a_figure_with_the_place_of_the_error(playground: Playground) -> None:
    page = playground.enter("http://a/\U0001f600b c?d")
    marked = page.evaluate(MARKED)
    assert marked == ["path", " "]
    rows = page.locator("#anatomy tbody tr").all_inner_texts()
    assert [row.split()[:2] for row in rows] == [
        ["scheme", "before"], ["authority", "before"], ["host", "before"],
        ["path", "invalid"], ["query", "not"],
    ]  # fmt: skip
    page.hover("#figure .mark", force=True)
    assert page.get_attribute("#results", "data-active") == "path"
    page.locator("#anatomy tbody button", has_text="query").focus()
    assert page.get_attribute("#results", "data-active") == "query"


#: The component and the character in the box that marks the error.
MARKED = """(() => {
  const box = document.querySelector("#figure .mark");
  const text = box.parentNode.querySelector(".value");
  const middle = box.x.baseVal.value + box.width.baseVal.value / 2;
  const spot = text.ownerSVGElement.createSVGPoint();
  spot.x = middle;
  spot.y = text.y.baseVal[0].value - 3;
  const index = text.getCharNumAtPosition(spot);
  return [box.parentNode.dataset.part, index < 0 ? "" : text.textContent.slice(index, index + 1)];
})()"""


def test_an_error_at_the_end_or_in_a_long_component_is_marked(playground: Playground) -> None:
    page = playground.enter("http://[::1")
    assert page.evaluate(MARKED) == ["host", "\u00a0"]
    page = playground.enter("http://a/" + "b" * 3000 + "^" + "c" * 3000)
    assert page.evaluate(MARKED) == ["path", "^"]
    page = playground.enter("http://a/b?" + "c" * 300 + "#^")
    assert page.evaluate(MARKED) == ["fragment", "^"]


def test_a_repair_that_would_guess_is_explained(playground: Playground) -> None:
    page = playground.enter("http://good.example\\@evil.example/")
    assert "No repair: browsers treat" in playground.text("#error")
    assert page.locator("#error button").count() == 0


def test_findings_have_a_severity_and_follow_the_profile(playground: Playground) -> None:
    page = playground.enter("http://0x7f.1:080/")
    codes = page.locator("#findings li > a").all_inner_texts()
    assert codes == ["ipv4-hex", "port-odd"]
    assert page.locator("#findings .severity").all_inner_texts() == ["warning", "warning"]
    playground.enter("http://0x7f.1:080/", profile="web")
    assert page.locator("#findings .severity").all_inner_texts() == ["error", "error"]
    playground.enter("http://a.example/")
    assert playground.text("#findings") == "Findings No findings with the profile generic."


def test_the_most_severe_findings_are_counted_first(playground: Playground) -> None:
    playground.enter(FIRST)
    assert playground.text("#validity").endswith(" in userinfo \u00b7 1 error \u00b7 4 warnings")


def test_links_to_findings_exist_in_the_documentation(playground: Playground) -> None:
    page = playground.enter("http://good.example%2F@0x7f.1:080/", profile="strict")
    headings = (ROOT / "docs/findings.md").read_text("utf-8")
    links = page.locator("#findings li > a").all()
    assert links
    for link in links:
        folder, _, code = (link.get_attribute("href") or "").partition("#")
        assert folder == "../findings.html"
        assert f"### {code}" in headings or f"({code})=" in headings


def groups_of(playground: Playground, selector: str = "#hosts") -> dict[str, str]:
    rows = playground.page.locator(f"{selector} li").all()
    return {
        row.locator(".target").inner_text(): row.locator(".programs").inner_text() for row in rows
    }


def test_the_strip_shows_the_host_that_each_program_finds(playground: Playground) -> None:
    playground.enter(FIRST)
    found = groups_of(playground)
    assert list(found) == ["good.example", "evil.example", "rejected"]
    assert found["good.example"].startswith("this browser, URL Standard (whatwg-url ")
    assert "rfc3986 " in found["good.example"]
    assert found["evil.example"].startswith("urllib.parse 3.")
    assert found["rejected"].startswith("uriverse ")
    assert "libcurl" not in playground.text("#hosts")
    stored = groups_of(playground, "#stored")
    assert "libcurl" in stored["evil.example"].split(", ")
    assert sum(len(programs.split(", ")) for programs in stored.values()) == 43
    assert playground.text("#stored summary").startswith("All 43 programs, tested on ")
    playground.enter("http://unknown.example/")
    assert list(groups_of(playground)) == ["unknown.example"]
    assert playground.page.is_hidden("#stored")


def test_a_disputed_string_has_two_figures_with_the_moved_host(playground: Playground) -> None:
    page = playground.enter(FIRST)
    assert page.locator("#figure .reading").all_inner_texts() == [
        "Split by Appendix B of RFC 3986: the host is evil.example",
        "This browser: the host is good.example",
    ]
    moved = page.locator("#figure .moved .value").all_text_contents()
    assert moved == ["evil.example", "good.example"]
    assert playground.page.get_attribute("#host-sentence", "class") == "disputed"
    # Punycode is no other host.
    for text in ("http://good.example/", "http://B\u00dcCHER.example/"):
        page = playground.enter(text)
        assert page.locator("#figure svg").count() == 1
        assert page.locator("#figure .moved").count() == 0


def test_both_figures_have_the_same_size(browser: Browser, address: str) -> None:
    size = {"width": 360, "height": 740}
    playground = Playground(browser, address, viewport=size).open("#uri=http%3A%2F%2Fexa+mple.com")
    playground.wait("document.querySelectorAll('#figure svg').length === 2")
    sizes = playground.page.evaluate(
        """[...document.querySelectorAll("#figure .value")].map(
            (node) => node.getAttribute("font-size"))"""
    )
    assert len(set(sizes)) == 1
    # The longer string, of the browser, decides.
    assert sizes[0] != "24"
    playground.close()


def test_a_library_that_differs_has_a_figure_if_the_browser_agrees(playground: Playground) -> None:
    page = playground.enter("http://a.example%2Fb@c.example/")
    first = page.locator("#figure .reading").all_inner_texts()
    page = playground.enter(" http://a.example/")
    assert first == []
    second = page.locator("#figure .reading").all_inner_texts()
    # An invalid string has no host by RFC 3986.
    assert second[0] == "Split by Appendix B of RFC 3986: the host is a.example"
    assert second[1].startswith("rfc3986 ")
    assert second[1].endswith(": no host")


def test_a_stored_result_has_a_figure_if_only_it_differs(playground: Playground) -> None:
    page = playground.enter("http://good.example#@evil.example/")
    assert page.locator("#figure .reading").all_inner_texts() == [
        "RFC 3986: the host is good.example",
        "libpq and git: the host is evil.example",
    ]
    assert page.locator("#figure .moved .value").all_text_contents() == [
        "good.example",
        "evil.example",
    ]
    assert page.locator("#figure svg").nth(1).text_content() == (
        "http://good.example#@evil.examplehost/"
    )


def test_with_a_base_only_the_browser_reads_the_string(playground: Playground) -> None:
    playground.enter("//b/c", base="http://a/")
    found = groups_of(playground)
    assert list(found) == ["b"]
    assert found["b"].startswith("this browser, URL Standard (")
    assert "uriverse" not in found["b"]


def test_the_sentence_says_whether_programs_agree(playground: Playground) -> None:
    for text, sentence in [
        (
            "http://good.example:0/",
            "Programs find different ports: good.example:0 and good.example.",
        ),
        ("http://agreed.example/", "All programs here find the host agreed.example."),
        ("mailto:a@b.example", "All programs here find no host."),
        ("http://agreed.example/^", "Programs find the host agreed.example, or reject the string."),
        (" http://a.example/", "Some programs find the host a.example, and some find none."),
    ]:
        playground.enter(text)
        assert playground.text("#host-sentence") == sentence


def test_a_host_may_be_called_rejected(playground: Playground) -> None:
    playground.enter("http://rejected/a b")
    targets = playground.page.locator("#hosts .target").all_inner_texts()
    assert targets == ["rejected", "rejected"]
    classes = playground.page.locator("#hosts li").evaluate_all(
        "(items) => items.map((item) => item.className)"
    )
    assert classes == ["", "rejection"]


def test_the_sentence_names_few_hosts(playground: Playground) -> None:
    playground.enter("http://g%C3%B6od.example/")
    sentence = playground.text("#host-sentence")
    assert re.fullmatch(r"Programs find different hosts: .+, .+, .+,? and \d more\.", sentence)


def test_without_the_other_programs_the_page_still_answers(browser: Browser, address: str) -> None:
    playground = Playground(browser, address)
    playground.page.context.route("**/standard.js", lambda route: route.abort())
    playground.page.context.route("**/programs.json", lambda route: route.abort())
    playground.open().wait("document.getElementById('hosts').textContent.includes('urllib')")
    assert "URL Standard" not in playground.text("#hosts")
    assert playground.page.is_hidden("#stored")
    # The console shows the failed requests.
    playground.problems.clear()
    playground.close()


def test_a_look_alike_is_shown_large(playground: Playground) -> None:
    page = playground.enter("https://www.xn--80ak6aa92e.com/login")
    assert "www.\u0430\u0440\u0440\u04cf\u0435.com" in playground.text("#looks .large")
    assert "but is another host" in playground.text("#looks")
    assert "Cyrillic small letter palochka" in playground.text("#looks")
    size = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.large code')).fontSize)"
    )
    assert size >= 28
    playground.enter("https://www.example.com/")
    assert page.is_hidden("#looks")


def test_a_policy_can_be_tried(playground: Playground) -> None:
    page = playground.enter("http://www.example.org/%7Ea")
    page.fill("#allow", "*.example.org")
    playground.settle()
    assert playground.text("#policy .content") == (
        "Allowed by the rule *.example.org. Connect to http://www.example.org/~a"
    )
    page.fill("#deny", "www.example.org")
    playground.settle()
    assert playground.text("#policy .content").startswith("Rejected by the rule www.example.org: ")
    decided = playground.text("#policy-sentence")
    assert decided.startswith("The policy rejects it: ")
    page.fill("#deny", "example.com*")
    playground.settle()
    assert "misplaced wildcard" in playground.text("#policy .content")
    assert page.is_hidden("#policy-sentence")
    page.fill("#allow", "")
    page.fill("#deny", "")
    playground.settle()
    assert page.is_hidden("#policy-sentence")


def test_the_figures_are_copied_as_a_picture(browser: Browser, address: str) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    playground = Playground(browser, address, permissions=permissions).open()
    playground.wait("document.querySelectorAll('#figure svg').length === 2")
    playground.page.click("#copy-picture")
    playground.wait("document.getElementById('picture-note').textContent")
    assert playground.text("#picture-note").startswith("Copied.")
    size = playground.page.evaluate(
        """(async () => {
            const [item] = await navigator.clipboard.read();
            const picture = await createImageBitmap(await item.getType("image/png"));
            return [picture.width, picture.height];
        })()"""
    )
    assert min(size) > 200
    playground.close()


def test_the_figures_are_saved_as_svg(playground: Playground, tmp_path: Path) -> None:
    page = playground.enter(FIRST)
    with page.expect_download() as download:
        page.click("#save-picture")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "uri.svg"
    root = ET.parse(file).getroot()
    written = "".join(node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text"))
    assert "good.example\\" in written
    assert "Split by Appendix B of RFC 3986: the host is evil.example" in written
    assert "This browser: the host is good.example" in written
    assert "class" not in {name for node in root.iter() for name in node.attrib}


def test_each_step_of_normalization_can_be_switched_off(playground: Playground) -> None:
    page = playground.enter("HTTP://[2001:DB8:0::1]:80/%7e/../a")
    steps = page.locator("#steps > li")
    assert "path: /%7e/../a → /~/../a" in " ".join(steps.nth(0).inner_text().split())
    assert "scheme: HTTP → http" in " ".join(steps.nth(1).inner_text().split())
    assert "port: 80 → removed" in " ".join(steps.nth(4).inner_text().split())
    assert "Result: http://[2001:db8::1]/a" in playground.text("#normal")
    for box in ("percent_encoding", "ipv6", "dot_segments", "scheme"):
        page.uncheck(f"#step-{box}")
    playground.settle()
    assert "Result: http://[2001:db8:0::1]:80/%7E/../a" in playground.text("#normal")
    for box in ("percent_encoding", "ipv6", "dot_segments", "scheme"):
        page.check(f"#step-{box}")
    playground.settle()
    page.click("#normal button.use")
    playground.settle()
    assert playground.value == "http://[2001:db8::1]/a"
    assert "The string is in this normal form." in playground.text("#normal")


def test_the_forms_are_shown_and_can_be_used(playground: Playground) -> None:
    page = playground.enter("http://b\u00fccher.example/ros\u00e9?token=abc")
    shown = playground.text("#forms")
    assert "URI http://b%C3%BCcher.example/ros%C3%A9?token=abc" in shown
    assert "http://xn--bcher-kva.example/ros%C3%A9?token=abc" in shown
    assert "http://bücher.example/rosé?token=REDACTED" in shown
    page.click("#forms button >> nth=1")
    playground.settle()
    assert playground.value == "http://xn--bcher-kva.example/ros%C3%A9?token=abc"


def test_a_reference_is_resolved_against_the_base(playground: Playground) -> None:
    page = playground.enter("../g?y", base="http://a/b/c/d;p?q")
    assert "http://a/b/g?y" in playground.text("#resolution")
    assert page.is_hidden("#base-error")
    page.click("#resolution button >> nth=0")
    playground.settle()
    assert playground.value == "http://a/b/g?y"
    page.click("#resolution button >> nth=1")
    playground.settle()
    assert playground.value == "../g?y"


def test_an_invalid_base_is_reported_next_to_its_field(playground: Playground) -> None:
    page = playground.enter("a", base="b/c")
    assert "missing scheme" in playground.text("#base-error")
    assert page.get_attribute("#base", "aria-invalid") == "true"
    assert page.is_hidden("#resolution")


def test_an_edit_of_a_segment_changes_no_other_character(playground: Playground) -> None:
    page = playground.enter("http://a/%7eb/./C%2fd/e?%7E#%7e")
    page.get_by_label("Segment 3", exact=True).fill("x/y é")
    playground.settle()
    assert playground.value == "http://a/%7eb/./x%2Fy%20%C3%A9/e?%7E#%7e"
    assert page.get_by_label("Segment 3", exact=True).input_value() == "x/y é"
    page.get_by_label("Remove segment 1").click()
    playground.settle()
    assert playground.value == "http://a/./x%2Fy%20%C3%A9/e?%7E#%7e"
    page.get_by_label("New segment").fill("100%")
    page.keyboard.press("Enter")
    playground.settle()
    assert playground.value == "http://a/./x%2Fy%20%C3%A9/e/100%25?%7E#%7e"


def test_an_edit_of_a_parameter_changes_no_other_character(playground: Playground) -> None:
    page = playground.enter("http://a/?q=%7e&&b&q=x+y&%7E=1#f")
    page.get_by_label("Value 3", exact=True).fill("1&2")
    playground.settle()
    assert playground.value == "http://a/?q=%7e&&b&q=1%262&%7E=1#f"
    page.get_by_label("Name 4", exact=True).fill("n m")
    playground.settle()
    assert playground.value == "http://a/?q=%7e&&b&q=1%262&n+m=1#f"
    page.get_by_label("Remove parameter 2").click()
    playground.settle()
    assert playground.value == "http://a/?q=%7e&&q=1%262&n+m=1#f"
    page.get_by_label("New name").fill("k")
    page.get_by_label("New value").fill("v")
    page.keyboard.press("Enter")
    playground.settle()
    assert playground.value == "http://a/?q=%7e&&q=1%262&n+m=1&k=v#f"


def test_a_field_keeps_the_focus_while_its_value_is_typed(playground: Playground) -> None:
    page = playground.enter("http://a/?q=1")
    page.get_by_label("Value 1", exact=True).focus()
    page.keyboard.press("End")
    page.keyboard.type("23 45/67", delay=10)
    playground.settle()
    assert playground.value == "http://a/?q=123+45%2F67"
    assert page.evaluate("document.activeElement.value") == "123 45/67"


def test_the_focus_is_kept_after_an_edit(playground: Playground) -> None:
    page = playground.enter("HTTP://a/b c")
    for button in ("#error button", "#normal button.use"):
        page.focus(button)
        page.keyboard.press("Enter")
        playground.settle()
        assert page.evaluate("document.activeElement.id") == "figure"
    assert playground.value == "http://a/b%20c"
    page.get_by_label("Remove segment 1").focus()
    page.keyboard.press("Enter")
    playground.settle()
    assert page.evaluate("document.activeElement.id") == "figure"


def test_an_edit_that_is_not_possible_is_explained(playground: Playground) -> None:
    page = playground.enter("http://a/b/c")
    page.get_by_label("Segment 1", exact=True).fill("..")
    playground.wait("document.querySelector('#segments [role=alert]').textContent")
    assert "dot segment" in playground.text("#segments [role=alert]")
    assert playground.value == "http://a/b/c"
    page.get_by_label("Segment 1", exact=True).fill("...")
    playground.settle()
    assert playground.value == "http://a/.../c"
    assert playground.text("#segments [role=alert]") == ""


def results(playground: Playground) -> dict[str, list[str]]:
    rows = playground.page.locator("#browser tbody tr").all()
    return {
        row.locator("th").inner_text(): [
            " ".join(cell.split()) for cell in row.locator("td").all_inner_texts()
        ]
        for row in rows
    }


def test_a_difference_is_highlighted_with_its_finding(playground: Playground) -> None:
    page = playground.enter("http:/example.com/a")
    found = results(playground)
    assert found["host"][:2] == ["none", "example.com"]
    assert found["host"][2].startswith("different")
    assert "slash-count" in found["host"][2]
    assert "The browser finds another host and path." in playground.text("#browser")
    different = page.locator("#browser tr.status-different th").all_inner_texts()
    assert different == ["host", "path"]


@pytest.mark.parametrize(
    "text", ["http://a/'?'#'", "http://a/%zz|^`{}", "x:y z", "data:a,b c", "http://a/\u00e9|"]
)
def test_a_repaired_string_is_what_the_browser_reads(playground: Playground, text: str) -> None:
    playground.enter(text)
    statuses = {cells[-1].partition(":")[0] for cells in results(playground).values()}
    assert statuses <= {"same", "equivalent", "encoded differently"}


def test_a_section_is_computed_when_it_is_opened(browser: Browser, address: str) -> None:
    playground = Playground(browser, address).open("#uri=HTTP%3A%2F%2Fa%2F%7Eb")
    playground.wait("!document.getElementById('sections').hidden")
    page = playground.page
    assert page.locator("#forms dd").count() == 0
    page.click("#forms > summary")
    playground.wait("document.querySelectorAll('#forms dd').length === 4")
    playground.close()


def test_an_answer_to_an_earlier_input_is_marked(playground: Playground) -> None:
    page = playground.enter("http://a/" + "b/" * 30_000)
    assert page.locator("[data-stale]").count() == 0
    stale = page.evaluate(
        """(() => {
            const field = document.getElementById("text");
            field.value += "c";
            field.dispatchEvent(new Event("input"));
            return document.querySelectorAll("#sections > [data-stale]").length;
        })()"""
    )
    assert stale == page.locator("#sections > details").count()
    playground.wait("!document.querySelector('#sections > [data-stale]:not([hidden])')")
    playground.settle()


def test_a_short_string_is_drawn_once_with_its_answer(playground: Playground) -> None:
    playground.enter("http://a.example/")
    # Otherwise, a busy machine may need more than the pause.
    playground.page.evaluate(
        """(() => {
            window.original = window.setTimeout;
            window.setTimeout = (action, delay) => original(action, delay === 50 ? 60_000 : delay);
            window.drawn = [];
            window.observer = new MutationObserver(() => {
                drawn.push(document.getElementById("validity").textContent);
            });
            observer.observe(document.getElementById("verdict"), {
                childList: true, characterData: true, subtree: true, attributes: true,
            });
        })()"""
    )
    playground.page.fill("#text", "http://b.example/c d")
    playground.settle()
    drawn = playground.page.evaluate("observer.disconnect(), setTimeout = original, drawn")
    assert drawn
    assert set(drawn) == {"Not a valid URI: invalid space in path \u00b7 1 error \u00b7 1 warning"}


def test_what_is_known_is_drawn_while_python_is_busy(playground: Playground) -> None:
    page = playground.enter("http://a/" + "b/" * 30_000)
    page.evaluate(
        """(() => {
            const field = document.getElementById("text");
            for (const text of [field.value + "c", "http://known.example/"]) {
                field.value = text;
                field.dispatchEvent(new Event("input"));
            }
        })()"""
    )
    playground.wait("document.querySelector('#hosts .target').textContent === 'known.example'")
    playground.settle()


# --- without a network, or without a server


def test_the_page_works_after_a_reload_without_a_network(browser: Browser, address: str) -> None:
    playground = Playground(browser, address).open()
    playground.wait("document.documentElement.dataset.ready")
    page = playground.page
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto(address + "#uri=http%3A%2F%2Foffline.example%2F")
    page.reload()
    playground.wait("document.documentElement.dataset.ready")
    playground.wait("!document.getElementById('sections').hidden")
    assert playground.text("#validity") == "Valid URI"
    assert "offline.example" in playground.text("#hosts")
    page.context.set_offline(False)
    playground.close()


def test_a_page_from_a_file_says_how_to_serve_it(browser: Browser) -> None:
    page = browser.new_page()
    page.goto((SITE / "index.html").as_uri())
    page.wait_for_selector("#not-started", state="visible")
    assert "python -m http.server" in page.inner_text("#not-started")
    # The form would not react.
    assert page.is_hidden("#text")
    page.close()


def test_input_is_never_html(playground: Playground) -> None:
    page = playground.enter("http://a/<img src=x onerror=alert(1)>?<b>#</script>")
    assert page.locator("#results img, #results b, #results script").count() == 0
    assert "<img" in playground.text("#error")


def test_invisible_characters_are_visible(playground: Playground) -> None:
    playground.enter("http://a/\u200d?x=\u3000#\u0600")
    shown = playground.text("#anatomy")
    assert "/\\u{200d}" in shown
    assert "x=\\u{3000}" in shown


def test_lone_surrogates_are_reported(playground: Playground) -> None:
    page = playground.page
    page.evaluate("document.getElementById('text').value = 'http://a/\\ud800'")
    playground.settle()
    assert "surrogate" in playground.text("#error")
    page.click("#copy-link")
    assert playground.text("#link-note") == "A link cannot contain lone surrogates."


def test_long_strings_are_cut_visibly(playground: Playground) -> None:
    text = "http://a/" + "/".join(f"segment{index}" for index in range(9000))
    text += "?" + "&".join(f"name{index}=1" for index in range(1000))
    assert len(text) > 100_000
    page = playground.enter(text)
    assert "The picture abbreviates long components." in playground.text("#figure")
    assert "more characters" in playground.text("#anatomy table")
    assert "Only the first 100 of 9,001 segments are shown." in playground.text("#segments")
    assert "Only the first 100 of 1,000 parameters are shown." in playground.text("#params")
    # An edit changes the whole string, not only the shown part.
    page.get_by_label("Value 1", exact=True).fill("changed")
    playground.settle()
    assert playground.value == text.replace("?name0=1", "?name0=changed")
    page.click("#copy-link")
    assert playground.text("#link-note") == "The input is too long for a link."


def test_only_the_newest_input_is_answered_while_python_is_busy(playground: Playground) -> None:
    page = playground.enter("http://a/" + "b/" * 40_000)
    before = page.evaluate("updates.length")
    page.evaluate(
        """for (let index = 0; index < 100; index += 1) {
            const field = document.getElementById("text");
            field.value += "c";
            field.dispatchEvent(new Event("input"));
        }"""
    )
    playground.settle()
    assert playground.value.endswith("/" + "c" * 100)
    # Two answers for each part of a long string: one that was begun, and the newest.
    assert page.evaluate("updates.length") - before <= 2 * 11 + 2


def test_an_empty_input_is_a_reference(playground: Playground) -> None:
    playground.enter("")
    assert "The string is empty." in playground.text("#figure")
    assert "matches URIReference" in playground.text("#anatomy")


def test_each_example_can_be_clicked(playground: Playground) -> None:
    page = playground.page
    assert page.locator(".examples button").count() > 10
    for button in page.locator(".examples button").all():
        button.click()
        playground.settle()
        assert playground.value == button.get_attribute("title")
        is_invalid = page.get_attribute("#validity", "class") == "invalid"
        assert page.is_visible("#error") == is_invalid
        assert page.locator("#figure svg").count() >= 1
    page.fill("#base", "")
