"""The Python part of the playground page, which runs in the browser.

The page sends requests as JSON, and gets answers as JSON. `answer` is the only entry point.
"""

from __future__ import annotations

from .reading import answer, answer_json

__all__ = ["answer", "answer_json"]
