"""The grammar of URIs (RFC 3986, Appendix A), as regular expressions.

Generated from `rfc3986.abnf` by `tools/make_grammar.py`. Each comment quotes a rule,
and the variable after the comment contains the regular expression of the rule. If the rule matches
a single character, the expression is the inside of a bracket expression.
"""

from .rfc5234 import ALPHA, DIGIT, HEXDIG

# sub-delims    = "!" / "$" / "&" / "'" / "(" / ")"
#               / "*" / "+" / "," / ";" / "="
sub_delims = "!$&-,;="

# gen-delims    = ":" / "/" / "?" / "#" / "[" / "]" / "@"
gen_delims = r"#/:?@\[\]"

# reserved      = gen-delims / sub-delims
reserved = f"{gen_delims}{sub_delims}"

# unreserved    = ALPHA / DIGIT / "-" / "." / "_" / "~"
unreserved = rf"{ALPHA}{DIGIT}\-._~"

# pct-encoded   = "%" HEXDIG HEXDIG
pct_encoded = f"%[{HEXDIG}][{HEXDIG}]"

# pchar         = unreserved / pct-encoded / sub-delims / ":" / "@"
pchar = f"(?:[{unreserved}{sub_delims}:@]|{pct_encoded})"

# fragment      = *( pchar / "/" / "?" )
fragment = f"(?:[{unreserved}{sub_delims}/:?@]++|{pct_encoded})*+"

# query         = *( pchar / "/" / "?" )
query = f"(?:[{unreserved}{sub_delims}/:?@]++|{pct_encoded})*+"

# segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
#               ; non-zero-length segment without any colon ":"
segment_nz_nc = f"(?:[{unreserved}{sub_delims}@]++|{pct_encoded})++"

# segment-nz    = 1*pchar
segment_nz = f"(?:[{unreserved}{sub_delims}:@]++|{pct_encoded})++"

# segment       = *pchar
segment = f"(?:[{unreserved}{sub_delims}:@]++|{pct_encoded})*+"

# path-empty    = 0<pchar>
path_empty = ""

# path-rootless = segment-nz *( "/" segment )
path_rootless = f"{segment_nz}(?:/(?:[{unreserved}{sub_delims}/:@]++|{pct_encoded})*+)?"

# path-noscheme = segment-nz-nc *( "/" segment )
path_noscheme = f"{segment_nz_nc}(?:/(?:[{unreserved}{sub_delims}/:@]++|{pct_encoded})*+)?"

# path-absolute = "/" [ segment-nz *( "/" segment ) ]
path_absolute = f"/(?:{segment_nz}(?:/(?:[{unreserved}{sub_delims}/:@]++|{pct_encoded})*+)?)?"

# path-abempty  = *( "/" segment )
path_abempty = f"(?:/(?:[{unreserved}{sub_delims}/:@]++|{pct_encoded})*+)?"

# path          = path-abempty    ; begins with "/" or is empty
#               / path-absolute   ; begins with "/" but not "//"
#               / path-noscheme   ; begins with a non-colon segment
#               / path-rootless   ; begins with a segment
#               / path-empty      ; zero characters
path = f"(?:{path_abempty}|{path_absolute}|{path_noscheme}|{path_rootless}|{path_empty})"

# reg-name      = *( unreserved / pct-encoded / sub-delims )
reg_name = f"(?:[{unreserved}{sub_delims}]++|{pct_encoded})*+"

# dec-octet     = DIGIT                 ; 0-9
#               / %x31-39 DIGIT         ; 10-99
#               / "1" 2DIGIT            ; 100-199
#               / "2" %x30-34 DIGIT     ; 200-249
#               / "25" %x30-35          ; 250-255
dec_octet = f"(?:[{DIGIT}]|[1-9][{DIGIT}]|1[{DIGIT}]{{2}}|2[0-4][{DIGIT}]|25[0-5])"

# IPv4address   = dec-octet "." dec-octet "." dec-octet "." dec-octet
IPv4address = rf"{dec_octet}\.{dec_octet}\.{dec_octet}\.{dec_octet}"

# h16           = 1*4HEXDIG
h16 = f"[{HEXDIG}]{{1,4}}"

# ls32          = ( h16 ":" h16 ) / IPv4address
ls32 = f"(?:{h16}:{h16}|{IPv4address})"

# IPv6address   =                            6( h16 ":" ) ls32
#               /                       "::" 5( h16 ":" ) ls32
#               / [               h16 ] "::" 4( h16 ":" ) ls32
#               / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
#               / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
#               / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
#               / [ *4( h16 ":" ) h16 ] "::"              ls32
#               / [ *5( h16 ":" ) h16 ] "::"              h16
#               / [ *6( h16 ":" ) h16 ] "::"
IPv6address = (
    f"(?:(?:{h16}:){{6}}{ls32}|::(?:{h16}:){{5}}{ls32}|(?:{h16})?::(?:{h16}:){{4}}{ls32}|"
    f"(?:(?:{h16}:)?{h16})?::(?:{h16}:){{3}}{ls32}|(?:(?:{h16}:){{0,2}}{h16})?::(?:{h16}"
    f":){{2}}{ls32}|(?:(?:{h16}:){{0,3}}{h16})?::{h16}:{ls32}|(?:(?:{h16}:){{0,4}}"
    f"{h16})?::{ls32}|(?:(?:{h16}:){{0,5}}{h16})?::{h16}|(?:(?:{h16}:){{0,6}}{h16})?::)"
)

# IPvFuture     = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
IPvFuture = rf"[Vv][{HEXDIG}]++\.[{unreserved}{sub_delims}:]++"

# IP-literal    = "[" ( IPv6address / IPvFuture  ) "]"
IP_literal = rf"\[(?:{IPv6address}|{IPvFuture})\]"

# port          = *DIGIT
port = f"[{DIGIT}]*+"

# host          = IP-literal / IPv4address / reg-name
host = f"(?:{IP_literal}|{IPv4address}|{reg_name})"

# userinfo      = *( unreserved / pct-encoded / sub-delims / ":" )
userinfo = f"(?:[{unreserved}{sub_delims}:]++|{pct_encoded})*+"

# authority     = [ userinfo "@" ] host [ ":" port ]
authority = f"(?:{userinfo}@)?{host}(?::{port})?"

# scheme        = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
scheme = rf"[{ALPHA}][{ALPHA}{DIGIT}+\-.]*+"

# relative-part = "//" authority path-abempty
#               / path-absolute
#               / path-noscheme
#               / path-empty
relative_part = f"(?://{authority}{path_abempty}|{path_absolute}|{path_noscheme}|{path_empty})"

# relative-ref  = relative-part [ "?" query ] [ "#" fragment ]
relative_ref = rf"{relative_part}(?:\?{query})?(?:\#{fragment})?"

# hier-part     = "//" authority path-abempty
#               / path-absolute
#               / path-rootless
#               / path-empty
hier_part = f"(?://{authority}{path_abempty}|{path_absolute}|{path_rootless}|{path_empty})"

# absolute-URI  = scheme ":" hier-part [ "?" query ]
absolute_URI = rf"{scheme}:{hier_part}(?:\?{query})?"

# URI           = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
URI = rf"{scheme}:{hier_part}(?:\?{query})?(?:\#{fragment})?"

# URI-reference = URI / relative-ref
URI_reference = f"(?:{URI}|{relative_ref})"

#: The complete regular expression of each rule, by the name of the rule in the RFC.
RULES = {
    "URI": URI,
    "hier-part": hier_part,
    "URI-reference": URI_reference,
    "absolute-URI": absolute_URI,
    "relative-ref": relative_ref,
    "relative-part": relative_part,
    "scheme": scheme,
    "authority": authority,
    "userinfo": userinfo,
    "host": host,
    "port": port,
    "IP-literal": IP_literal,
    "IPvFuture": IPvFuture,
    "IPv6address": IPv6address,
    "h16": h16,
    "ls32": ls32,
    "IPv4address": IPv4address,
    "dec-octet": dec_octet,
    "reg-name": reg_name,
    "path": path,
    "path-abempty": path_abempty,
    "path-absolute": path_absolute,
    "path-noscheme": path_noscheme,
    "path-rootless": path_rootless,
    "path-empty": path_empty,
    "segment": segment,
    "segment-nz": segment_nz,
    "segment-nz-nc": segment_nz_nc,
    "pchar": pchar,
    "query": query,
    "fragment": fragment,
    "pct-encoded": pct_encoded,
    "unreserved": f"[{unreserved}]",
    "reserved": f"[{reserved}]",
    "gen-delims": f"[{gen_delims}]",
    "sub-delims": f"[{sub_delims}]",
}
