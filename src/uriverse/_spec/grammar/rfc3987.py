"""The grammar of IRIs (RFC 3987, 2.2), as regular expressions.

Generated from `rfc3987.abnf` by `tools/make_grammar.py`. Each comment quotes a rule,
and the variable after the comment contains the regular expression of the rule. If the rule matches
a single character, the expression is the inside of a bracket expression.
"""

from .rfc3986 import IP_literal, IPv4address, pct_encoded, port, scheme, sub_delims
from .rfc5234 import ALPHA, DIGIT

# iprivate       = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD
iprivate = r"\uE000-\uF8FF\U000F0000-\U000FFFFD\U00100000-\U0010FFFD"

# ucschar        = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF
#                / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD
#                / %x40000-4FFFD / %x50000-5FFFD / %x60000-6FFFD
#                / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD
#                / %xA0000-AFFFD / %xB0000-BFFFD / %xC0000-CFFFD
#                / %xD0000-DFFFD / %xE1000-EFFFD
ucschar = (
    r"\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF\U00010000-\U0001FFFD\U00020000-\U0002FFFD"
    r"\U00030000-\U0003FFFD\U00040000-\U0004FFFD\U00050000-\U0005FFFD\U00060000-\U0006FFFD"
    r"\U00070000-\U0007FFFD\U00080000-\U0008FFFD\U00090000-\U0009FFFD\U000A0000-\U000AFFFD"
    r"\U000B0000-\U000BFFFD\U000C0000-\U000CFFFD\U000D0000-\U000DFFFD\U000E1000-\U000EFFFD"
)

# iunreserved    = ALPHA / DIGIT / "-" / "." / "_" / "~" / ucschar
iunreserved = rf"{ALPHA}{DIGIT}{ucschar}\-._~"

# ipchar         = iunreserved / pct-encoded / sub-delims / ":"
#                / "@"
ipchar = f"(?:[{iunreserved}{sub_delims}:@]|{pct_encoded})"

# ifragment      = *( ipchar / "/" / "?" )
ifragment = f"(?:[{iunreserved}{sub_delims}/:?@]++|{pct_encoded})*+"

# iquery         = *( ipchar / iprivate / "/" / "?" )
iquery = f"(?:[{iunreserved}{sub_delims}{iprivate}/:?@]++|{pct_encoded})*+"

# isegment-nz-nc = 1*( iunreserved / pct-encoded / sub-delims
#                      / "@" )
#                ; non-zero-length segment without any colon ":"
isegment_nz_nc = f"(?:[{iunreserved}{sub_delims}@]++|{pct_encoded})++"

# isegment-nz    = 1*ipchar
isegment_nz = f"(?:[{iunreserved}{sub_delims}:@]++|{pct_encoded})++"

# isegment       = *ipchar
isegment = f"(?:[{iunreserved}{sub_delims}:@]++|{pct_encoded})*+"

# ipath-empty    = 0<ipchar>
ipath_empty = ""

# ipath-rootless = isegment-nz *( "/" isegment )
ipath_rootless = f"{isegment_nz}(?:/(?:[{iunreserved}{sub_delims}/:@]++|{pct_encoded})*+)?"

# ipath-noscheme = isegment-nz-nc *( "/" isegment )
ipath_noscheme = f"{isegment_nz_nc}(?:/(?:[{iunreserved}{sub_delims}/:@]++|{pct_encoded})*+)?"

# ipath-absolute = "/" [ isegment-nz *( "/" isegment ) ]
ipath_absolute = f"/(?:{isegment_nz}(?:/(?:[{iunreserved}{sub_delims}/:@]++|{pct_encoded})*+)?)?"

# ipath-abempty  = *( "/" isegment )
ipath_abempty = f"(?:/(?:[{iunreserved}{sub_delims}/:@]++|{pct_encoded})*+)?"

# ipath          = ipath-abempty   ; begins with "/" or is empty
#                / ipath-absolute  ; begins with "/" but not "//"
#                / ipath-noscheme  ; begins with a non-colon segment
#                / ipath-rootless  ; begins with a segment
#                / ipath-empty     ; zero characters
ipath = f"(?:{ipath_abempty}|{ipath_absolute}|{ipath_noscheme}|{ipath_rootless}|{ipath_empty})"

# ireg-name      = *( iunreserved / pct-encoded / sub-delims )
ireg_name = f"(?:[{iunreserved}{sub_delims}]++|{pct_encoded})*+"

# ihost          = IP-literal / IPv4address / ireg-name
ihost = f"(?:{IP_literal}|{IPv4address}|{ireg_name})"

# iuserinfo      = *( iunreserved / pct-encoded / sub-delims / ":" )
iuserinfo = f"(?:[{iunreserved}{sub_delims}:]++|{pct_encoded})*+"

# iauthority     = [ iuserinfo "@" ] ihost [ ":" port ]
iauthority = f"(?:{iuserinfo}@)?{ihost}(?::{port})?"

# irelative-part = "//" iauthority ipath-abempty
#                / ipath-absolute
#                / ipath-noscheme
#                / ipath-empty
irelative_part = (
    f"(?://{iauthority}{ipath_abempty}|{ipath_absolute}|{ipath_noscheme}|{ipath_empty})"
)

# irelative-ref  = irelative-part [ "?" iquery ] [ "#" ifragment ]
irelative_ref = rf"{irelative_part}(?:\?{iquery})?(?:\#{ifragment})?"

# ihier-part     = "//" iauthority ipath-abempty
#                / ipath-absolute
#                / ipath-rootless
#                / ipath-empty
ihier_part = f"(?://{iauthority}{ipath_abempty}|{ipath_absolute}|{ipath_rootless}|{ipath_empty})"

# absolute-IRI   = scheme ":" ihier-part [ "?" iquery ]
absolute_IRI = rf"{scheme}:{ihier_part}(?:\?{iquery})?"

# IRI            = scheme ":" ihier-part [ "?" iquery ]
#                       [ "#" ifragment ]
IRI = rf"{scheme}:{ihier_part}(?:\?{iquery})?(?:\#{ifragment})?"

# IRI-reference  = IRI / irelative-ref
IRI_reference = f"(?:{IRI}|{irelative_ref})"

#: The complete regular expression of each rule, by the name of the rule in the RFC.
RULES = {
    "IRI": IRI,
    "ihier-part": ihier_part,
    "IRI-reference": IRI_reference,
    "absolute-IRI": absolute_IRI,
    "irelative-ref": irelative_ref,
    "irelative-part": irelative_part,
    "iauthority": iauthority,
    "iuserinfo": iuserinfo,
    "ihost": ihost,
    "ireg-name": ireg_name,
    "ipath": ipath,
    "ipath-abempty": ipath_abempty,
    "ipath-absolute": ipath_absolute,
    "ipath-noscheme": ipath_noscheme,
    "ipath-rootless": ipath_rootless,
    "ipath-empty": ipath_empty,
    "isegment": isegment,
    "isegment-nz": isegment_nz,
    "isegment-nz-nc": isegment_nz_nc,
    "ipchar": ipchar,
    "iquery": iquery,
    "ifragment": ifragment,
    "iunreserved": f"[{iunreserved}]",
    "ucschar": f"[{ucschar}]",
    "iprivate": f"[{iprivate}]",
}
