"""The grammar of URI Templates (RFC 6570, 2), as regular expressions.

Generated from `rfc6570.abnf` by `tools/make_grammar.py`. Each comment quotes a rule,
and the variable after the comment contains the regular expression of the rule. If the rule matches
a single character, the expression is the inside of a bracket expression.
"""

from .rfc3986 import pct_encoded
from .rfc3987 import iprivate, ucschar
from .rfc5234 import ALPHA, DIGIT

# explode        = "*"
explode = "*"

# max-length     = %x31-39 0*3DIGIT   ; positive integer < 10000
max_length = f"[1-9][{DIGIT}]{{0,3}}"

# prefix         = ":" max-length
prefix = f":{max_length}"

# modifier-level4 = prefix / explode
modifier_level4 = f"(?:[{explode}]|{prefix})"

# varchar        = ALPHA / DIGIT / "_" / pct-encoded
varchar = f"(?:[{ALPHA}{DIGIT}_]|{pct_encoded})"

# varname        = varchar *( ["."] varchar )
varname = rf"{varchar}(?:\.?{varchar})*+"

# varspec        = varname [ modifier-level4 ]
varspec = f"{varname}(?:{modifier_level4})?"

# variable-list  = varspec *( "," varspec )
variable_list = f"{varspec}(?:,{varspec})*+"

# op-reserve     = "=" / "," / "!" / "@" / "|"
op_reserve = "!,=@|"

# op-level3      = "." / "/" / ";" / "?" / "&"
op_level3 = "&./;?"

# op-level2      = "+" / "#"
op_level2 = "#+"

# operator       = op-level2 / op-level3 / op-reserve
operator = f"{op_level2}{op_level3}{op_reserve}"

# expression     = "{" [ operator ] variable-list "}"
expression = rf"\{{[{operator}]?{variable_list}\}}"

# literals       = %x21 / %x23-24 / %x26-3B / %x3D / %x3F-5B
#                / %x5D / %x5F / %x61-7A / %x7E / ucschar / iprivate
#                / pct-encoded
literals = rf"(?:[{ucschar}{iprivate}!#-$&-;=?-\[\]_a-z~]|{pct_encoded})"

# URI-Template   = *( literals / expression )
URI_Template = rf"(?:[{ucschar}{iprivate}!#-$&-;=?-\[\]_a-z~]++|{pct_encoded}|{expression})*+"

#: The complete regular expression of each rule, by the name of the rule in the RFC.
RULES = {
    "URI-Template": URI_Template,
    "literals": literals,
    "expression": expression,
    "operator": f"[{operator}]",
    "op-level2": f"[{op_level2}]",
    "op-level3": f"[{op_level3}]",
    "op-reserve": f"[{op_reserve}]",
    "variable-list": variable_list,
    "varspec": varspec,
    "varname": varname,
    "varchar": varchar,
    "modifier-level4": modifier_level4,
    "prefix": prefix,
    "max-length": max_length,
    "explode": f"[{explode}]",
}
