"""RFC 5234, Appendix B.1: the core rules that the URI and IRI grammars use.

Generated from `rfc5234.abnf` by `tools/make_grammar.py`. Each rule is followed by its regular
expression. For a rule that matches a single character, it is the inside of a bracket expression.
"""

# DIGIT          = %x30-39
#                     ; 0-9
DIGIT = "0-9"

# HEXDIG         = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HEXDIG = f"{DIGIT}A-Fa-f"

# ALPHA          = %x41-5A / %x61-7A   ; A-Z / a-z
ALPHA = "A-Za-z"

#: The complete regular expression of each rule, by the name of the rule in the RFC.
RULES = {
    "ALPHA": f"[{ALPHA}]",
    "DIGIT": f"[{DIGIT}]",
    "HEXDIG": f"[{HEXDIG}]",
}
