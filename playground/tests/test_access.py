import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playgrounds import Playground
from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from make_playground import Archive, fetch

AXE = Archive(
    "axe-core-4.14.1.tgz",
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
    ("npm", "pack", "--silent", "axe-core@4.14.1"),
)

INPUTS = {
    "valid": ("foo://me@example.com:8042/over/there?name=ferret&x#nose", ""),
    "repaired": (" http://example.com/black&white^ 100%", ""),
    "rejected": ("http://good.example\\@evil.example/", ""),
    "look-alike": ("https://www.xn--80ak6aa92e.com/login", ""),
    "two figures": ("http:/good.example/", ""),
    "relative": ("../g;x=1/./y?z#s", "http://a/b/c/d;p?q"),
    "long": ("http://0x7f.1:080/" + "long" * 200 + "?" + "&".join("n=1" for _ in range(210)), "b"),
}


@pytest.fixture(scope="module")
def axe() -> str:
    with tarfile.open(fetch(AXE)) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode("utf-8")


@pytest.fixture(scope="module", params=["light", "dark"])
def styled(
    request: pytest.FixtureRequest, browser: Browser, address: str, axe: str
) -> Iterator[Playground]:
    options = {"viewport": {"width": 360, "height": 9000}, "color_scheme": request.param}
    playground = Playground(browser, address, axe, **options).open().unfold()
    playground.wait("document.documentElement.dataset.ready")
    yield playground
    playground.close()


def violations(playground: Playground) -> list[Any]:
    found = playground.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        (one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found["violations"]
    ]


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("name", INPUTS)
def test_axe_finds_no_violations(styled: Playground, width: int, name: str) -> None:
    styled.page.set_viewport_size({"width": width, "height": 9000})
    text, base = INPUTS[name]
    styled.enter(text, base=base)
    assert violations(styled) == []


@pytest.mark.parametrize("name", INPUTS)
def test_the_page_fits_a_phone(styled: Playground, name: str) -> None:
    styled.page.set_viewport_size({"width": 360, "height": 9000})
    text, base = INPUTS[name]
    styled.enter(text, base=base)
    assert styled.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_axe_finds_a_planted_violation(styled: Playground) -> None:
    styled.page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert [name for name, _ in violations(styled)] == ["label"]
    styled.page.evaluate("document.querySelector('main').lastChild.remove()")


@pytest.mark.parametrize("width", [360, 1200])
def test_the_first_view_is_accessible(browser: Browser, address: str, axe: str, width: int) -> None:
    playground = Playground(browser, address, axe, viewport={"width": width, "height": 740})
    playground.open()
    assert violations(playground) == []
    playground.wait("!document.getElementById('sections').hidden")
    assert violations(playground) == []
    playground.close()


def test_dark_mode_has_other_colors(browser: Browser, address: str) -> None:
    colors = set()
    for scheme in ("light", "dark"):
        playground = Playground(browser, address, color_scheme=scheme).open()
        colors.add(playground.page.evaluate("getComputedStyle(document.body).backgroundColor"))
        playground.close()
    assert len(colors) == 2


def test_all_controls_can_be_reached_with_the_keyboard(playground: Playground) -> None:
    page = playground.enter("http://me@a.example/b/c?d=e", base="http://a.example/")
    page.focus("#text")
    reached = []
    for _ in range(160):
        page.keyboard.press("Tab")
        name = page.evaluate(
            """(() => {
                const node = document.activeElement;
                const name = node.id || node.getAttribute("aria-label") || node.textContent;
                return node === document.body ? null : name;
            })()"""
        )
        if name is None:
            break
        reached.append(name)
    for control in (
        *("base", "profile", "copy-link", "copy-picture", "RFC 3986", "figure", "host"),
        *("step-case", "allow", "deny", "Use: target", "Segment 1", "Remove segment 1"),
        *("New segment", "Value 1", "New value"),
    ):
        assert control in reached


def test_a_section_is_opened_with_the_keyboard(browser: Browser, address: str) -> None:
    size = {"width": 360, "height": 740}
    playground = Playground(browser, address, viewport=size).open("#uri=http%3A%2F%2Fa%2Fb%3Fc")
    playground.wait("!document.getElementById('sections').hidden")
    page = playground.page
    assert page.locator("#sections > details[open]").count() == 0
    page.focus("#forms > summary")
    page.keyboard.press("Enter")
    playground.wait("document.querySelector('#forms dd')")
    assert page.get_attribute("#forms", "data-stale") is None
    playground.close()


def test_the_verdict_and_the_figures_come_first_on_a_phone(browser: Browser, address: str) -> None:
    size = {"width": 360, "height": 740}
    playground = Playground(browser, address, viewport=size).open()
    playground.wait("!document.getElementById('sections').hidden")
    page = playground.page
    for name in ("#validity", "#host-sentence", "#figure svg"):
        assert page.evaluate(f"document.querySelector('{name}').getBoundingClientRect().top") < 740
    # The figures fit into one row each.
    rows = page.evaluate(
        """[...document.querySelectorAll("#figure svg")].map((figure) => {
            const values = [...figure.querySelectorAll(".value")];
            return new Set(values.map((value) => value.getAttribute("y"))).size;
        })"""
    )
    assert rows == [1, 1]
    assert page.evaluate("document.documentElement.scrollHeight") < 2000
    playground.close()


def test_an_example_can_be_chosen_with_the_keyboard(playground: Playground) -> None:
    page = playground.page
    page.get_by_role("button", name="URN", exact=True).focus()
    page.keyboard.press("Enter")
    playground.settle()
    assert playground.value == "urn:example:animal:ferret:nose"


SUMMARY = (
    "Valid URI, 15 characters, 1 finding. Programs find different hosts: 127.0.0.1 and 0x7f.1."
)


def test_screen_readers_hear_a_summary(playground: Playground) -> None:
    playground.enter("http://0x7f.1/a")
    assert playground.page.get_attribute("#summary", "role") == "status"
    playground.wait(f"document.getElementById('summary').textContent === '{SUMMARY}'")
    playground.enter("http://a b/")
    playground.wait("document.getElementById('summary').textContent.startsWith('Invalid')")
    figure = playground.enter("http://a/b").locator("#figure svg")
    assert figure.get_attribute("role") == "img"
    assert figure.get_attribute("aria-label") == "Components: scheme, host, path"
    figure = playground.enter("http://a/b c").locator("#figure svg")
    label = "Components: scheme, host, path, with the place of the error"
    assert figure.get_attribute("aria-label") == label
