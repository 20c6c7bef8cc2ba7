"""The character classes as the compiled kernel reads them.

Made from the ABNF by `tools/make_grammar.py`; change it there.
"""

#: The classes, each with the bit that stands for it in `FLAGS`: the single
#: characters of the rules of that name (`PATH`: of `segment`, and the slash).
CLASSES = {
    "ALPHA": 1,
    "DIGIT": 2,
    "HEXDIG": 4,
    "SCHEME": 8,
    "REG_NAME": 16,
    "USERINFO": 32,
    "PATH": 64,
    "QUERY": 128,
}

#: For each byte, the classes that it belongs to; none for bytes past ASCII.
FLAGS = bytes.fromhex(
    "0000000000000000000000000000000000000000000000000000000000000000"
    "00f00000f000f0f0f0f0f0f8f0f8f8c0fefefefefefefefefefee0f000f00080"
    "c0fdfdfdfdfdfdf9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f900000000f0"
    "00fdfdfdfdfdfdf9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9000000f000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
)

#: The code points of `ucschar`, as inclusive ranges.
UCSCHAR = (
    (0xA0, 0xD7FF),
    (0xF900, 0xFDCF),
    (0xFDF0, 0xFFEF),
    (0x10000, 0x1FFFD),
    (0x20000, 0x2FFFD),
    (0x30000, 0x3FFFD),
    (0x40000, 0x4FFFD),
    (0x50000, 0x5FFFD),
    (0x60000, 0x6FFFD),
    (0x70000, 0x7FFFD),
    (0x80000, 0x8FFFD),
    (0x90000, 0x9FFFD),
    (0xA0000, 0xAFFFD),
    (0xB0000, 0xBFFFD),
    (0xC0000, 0xCFFFD),
    (0xD0000, 0xDFFFD),
    (0xE1000, 0xEFFFD),
)

#: The code points of `iprivate`, as inclusive ranges.
IPRIVATE = (
    (0xE000, 0xF8FF),
    (0xF0000, 0xFFFFD),
    (0x100000, 0x10FFFD),
)
