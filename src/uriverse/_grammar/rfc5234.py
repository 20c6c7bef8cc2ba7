"""RFC 5234, Appendix B.1: the core rules that the URI and IRI grammars use.

Made from `rfc5234.abnf` by `tools/make_grammar.py`; change it there.
Under each rule's text stands the pattern made from it. Where a rule names single
characters, its value is the inside of a bracket expression.
"""

# DIGIT          = %x30-39
#                     ; 0-9
DIGIT = "0-9"

# HEXDIG         = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HEXDIG = f"{DIGIT}A-Fa-f"

# ALPHA          = %x41-5A / %x61-7A   ; A-Z / a-z
ALPHA = "A-Za-z"

#: Every rule above as a pattern that stands alone, by its name in the RFC.
RULES = {
    "ALPHA": f"[{ALPHA}]",
    "DIGIT": f"[{DIGIT}]",
    "HEXDIG": f"[{HEXDIG}]",
}
