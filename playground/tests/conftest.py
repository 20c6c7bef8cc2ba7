"""The fixtures of all tests of the page."""

from playgrounds import address, browser, playground

__all__ = ["address", "browser", "playground"]
