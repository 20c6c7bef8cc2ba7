import re
from importlib import import_module

from uriverse._lazy import lazy_pattern


def test_a_lazy_pattern_has_the_methods_of_a_compiled_one() -> None:
    arguments = "(?P<a>b)+", re.IGNORECASE
    lazy, compiled = lazy_pattern(*arguments), re.compile(*arguments)
    for _ in range(2):
        assert lazy.sub("-", "aBbc") == compiled.sub("-", "aBbc")
        assert [found.span("a") for found in lazy.finditer("bb-B")] == [(1, 2), (3, 4)]
    assert (lazy.pattern, lazy.flags) == (compiled.pattern, compiled.flags)


def test_modules_of_fast_commands_compile_no_patterns_when_imported() -> None:
    for name in [
        *("_spec.bidi", "_spec.components", "_spec.conversion", "_spec.domain", "_spec.messages"),
        *("_spec.nfc", "_spec.percent", "diagnosis._ambiguity", "diagnosis._rules"),
        *("diagnosis._extraction", "hosts._kinds", "schemes._file"),
    ]:
        values = vars(import_module(f"uriverse.{name}")).values()
        assert [value for value in values if isinstance(value, re.Pattern)] == []
