import shutil
import time
from pathlib import Path

import pytest
from marionette import Firefox
from playgrounds import PATIENCE


def test_the_page_answers_in_firefox(address: str, tmp_path: Path) -> None:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("needs Firefox (apt-get install firefox-esr)")
    with Firefox(program, tmp_path) as firefox:
        firefox.open(f"{address}#uri=HTTP%3A%2F%2Fb%C3%BCcher.example%3A80%2Fa%2F..%2Fb%3Fc")
        end = time.monotonic() + PATIENCE
        opening = "document.querySelectorAll('details').forEach((one) => one.open = true)"
        firefox.evaluate(opening)
        shown = ("#browser tbody tr", "#normal .content p")
        while not all(firefox.evaluate(f"!!document.querySelector('{one}')") for one in shown):
            assert time.monotonic() < end
            time.sleep(0.1)
        contents = {
            name: " ".join(firefox.evaluate(f"document.getElementById('{name}').innerText").split())
            for name in ("anatomy", "browser", "normal")
        }
        assert "The string matches IRI." in contents["anatomy"]
        assert firefox.evaluate("document.querySelectorAll('#figure .value').length") == 8
        assert "xn--bcher-kva.example equivalent: Punycode" in contents["browser"]
        assert "Result: http://bücher.example/b?c" in contents["normal"]
