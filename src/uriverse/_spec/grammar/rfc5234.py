"""The rules that the grammars of URIs and IRIs share (RFC 5234, Appendix B.1).

Generated from `rfc5234.abnf` by `tools/make_grammar.py`. Each comment quotes a rule,
and the variable after the comment contains the regular expression of the rule. If the rule matches
a single character, the expression is the inside of a bracket expression.
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
