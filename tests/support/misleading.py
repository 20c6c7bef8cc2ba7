"""Strings whose methods return other characters than those that they contain."""


class MisleadingStr(str):
    __slots__ = ()

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __str__(self) -> str:
        return "other:"

    def __format__(self, spec: str) -> str:
        return "other:"

    def encode(self, *_: object, **__: object) -> bytes:
        return b"other:"


class MisleadingBytes(bytes):
    __slots__ = ()

    def __len__(self) -> int:
        return 0

    def decode(self, *_: object, **__: object) -> str:
        return "other:"
