"""Unicode characters that look like others, or like nothing.

Findings, `display`, policies and the kernel share these tables.
"""

from __future__ import annotations

from unicodedata import bidirectional, category, is_normalized

from uriverse._lazy import lazy_pattern

#: Characters that become ASCII characters by Unicode normalization (NFKC), or by conversion to a
#: Windows code page (["best fit"][1]): those of the full-width block, and those that become dots,
#: slashes, percent signs, or the start of a path parameter, a query or a fragment.
#:
#: [1]: https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WindowsBestFit/
LOOKALIKES = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {
    ord(character): plain
    for plain, characters in {
        ".": "\u2024\ufe52",
        "..": "\u2025\ufe30",
        "...": "\u2026\ufe19",
        "/": "\u00b4\u2044\u2215",
        "\\": "\u00a5\u20a9\u2216\ufe68",
        "%": "\u066a\ufe6a",
        ";": "\u037e\ufe14\ufe54",
        "?": "\u00bf\u2047\u2048\ufe16\ufe56",
        "#": "\ufe5f",
    }.items()
    for character in characters
}

#: Invisible characters: Unicode's Default_Ignorable_Code_Point, and those that UTS 46 removes.
IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)

#: The characters that displayed labels may contain, for each script in wide use. The entry for
#: Latin lists ASCII letters, ASCII letters with marks, and a few letters that resemble neither.
#: Combining marks are listed only for scripts that write vowels with them.
SCRIPTS = {
    "Latin": "a-z\u00df-\u00f6\u00f8-\u0130\u0132-\u017e\u01a1\u01b0\u01cd-\u01dc\u0218-\u021b"
    "\u1e00-\u1e99\u1ea0-\u1ef9",
    "Greek": "\u0390\u03ac-\u03ce",
    "Cyrillic": "\u0430-\u045f\u0491-\u0493\u049b\u04a3\u04af\u04b1\u04bb\u04d9\u04e9",
    "Armenian": "\u0561-\u0586",
    "Hebrew": "\u05d0-\u05ea",
    "Arabic": "\u0620-\u063f\u0641-\u064a\u064b-\u0652\u0671-\u06d3",
    "Thaana": "\u0780-\u07b1",
    "Devanagari": "\u0901-\u0939\u093c-\u094d\u0950-\u096f",
    "Bengali": "\u0981-\u09f1",
    "Gurmukhi": "\u0a01-\u0a75",
    "Gujarati": "\u0a81-\u0aef",
    "Oriya": "\u0b01-\u0b71",
    "Tamil": "\u0b82-\u0bef",
    "Telugu": "\u0c00-\u0c6f",
    "Kannada": "\u0c80-\u0cef",
    "Malayalam": "\u0d00-\u0d7f",
    "Sinhala": "\u0d82-\u0df3",
    "Thai": "\u0e01-\u0e4e",
    "Lao": "\u0e81-\u0ecd",
    "Myanmar": "\u1000-\u1049",
    "Georgian": "\u10d0-\u10f0",
    "Ethiopic": "\u1200-\u135a",
    "Khmer": "\u1780-\u17b3\u17b6-\u17d2",
    "Chinese": "a-z\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\u3105-\u312f",
    "Japanese": "a-z\u3005-\u3007\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe"
    "\u3400-\u4dbf\u4e00-\u9fff",
    "Korean": "a-z\uac00-\ud7a3\u3400-\u4dbf\u4e00-\u9fff",
}
LABELS = {name: lazy_pattern(f"[{letters}0-9-]+") for name, letters in SCRIPTS.items()}

#: Latin letters that are never displayed, because they look like other letters or like a letter
#: followed by a sign.
UNLIKE_LATIN = frozenset("\u0131\u0138\u0140\u0149\u017f")

#: Letters that look like Latin letters, by script. A label with only such letters looks Latin.
LIKE_LATIN = {
    "Greek": frozenset("οαικνρυτχς"),
    "Cyrillic": frozenset("асеіјорѕхуѵһьгѡ\u0501\u051b\u051d\u04cf\u04e9"),
    "Armenian": frozenset("ոօսհցզգյ"),
    "Hebrew": frozenset("דוחיןסט"),
    "Georgian": frozenset("იოყძხ"),
    "Ethiopic": frozenset("ሀሠሰስበነከዐ"),
    "Myanmar": frozenset("ခဂငပဝ"),
    "Thai": frozenset("ทนบพรหเแดลปฟม"),
    "Malayalam": frozenset("ടഠധനറരസ"),
    "Oriya": frozenset("\u0b20"),
    "Tamil": frozenset("டபர"),
}

#: Japanese and Chinese characters that look like a stroke or a zero. Next to a Latin letter they
#: would be mistaken for one.
LIKE_STROKES = frozenset("ノソゾンー一丨丶丿〳ㇵㇶヽヾへべぺ〇\u3033")

#: The letters of Hangul, which NFC combines into syllables.
JAMO = lazy_pattern("[\u1100-\u11ff]")
IGNORABLE_CHARACTER = lazy_pattern(f"[{IGNORABLE}]")


def classify_look(character: str) -> int:
    """Return the scripts that contain a character, and how it looks, as bits for the kernel.

    Bits 0 to 28 stand for the scripts in `LABELS`. Bit 30 is set for letters that do not look like
    ASCII letters, bit 29 for those that no label may show next to an ASCII character, and only bit
    31 for characters that no label may show. A label is shown if a script contains all its
    characters, and bit 30 is set for one of them.
    """
    never_shown = 1 << 31
    if character in UNLIKE_LATIN:
        return never_shown
    script_bits = sum(
        bool(pattern.fullmatch(character)) << bit for bit, pattern in enumerate(LABELS.values())
    )
    looks_latin = character.isascii() or any(
        character in letters for letters in LIKE_LATIN.values()
    )
    is_distinct_letter = character.isalpha() and not looks_latin
    is_like_stroke = character in LIKE_STROKES
    return script_bits | is_like_stroke << 29 | is_distinct_letter << 30 or never_shown


def is_plain_letter(character: str) -> bool:
    """Return whether a non-ASCII letter needs no examination outside of hosts.

    It is written from left to right, never combined with the character before it, and resembles no
    ASCII character.
    """
    return (
        category(character).startswith("L")
        and bidirectional(character) == "L"
        and is_normalized("NFC", character)
        and not JAMO.match(character)
        and not IGNORABLE_CHARACTER.match(character)
        and ord(character) not in LOOKALIKES
    )
