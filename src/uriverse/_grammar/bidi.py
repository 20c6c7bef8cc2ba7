"""The characters that an IRI must not hold, as they only format text that runs both ways."""

#: The code points, as inclusive ranges. RFC 3987, section 4.1, names LRM, RLM, and the
#: five from LRE to RLO; Unicode 6.3 has added ALM and the four isolates to the same
#: property, `Bidi_Control`.
BIDI_FORMATTING = ((0x61C, 0x61C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
