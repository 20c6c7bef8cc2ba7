"""Bidirectional formatting characters, which are not allowed in IRIs (RFC 3987, 4.1)."""

#: The code points, as inclusive ranges. RFC 3987 lists LRM, RLM, and the five characters from LRE
#: to RLO. Unicode 6.3 added ALM and the four isolates to the same property, `Bidi_Control`.
BIDI_FORMATTING = ((0x61C, 0x61C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
