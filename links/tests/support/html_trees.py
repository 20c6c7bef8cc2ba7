"""Documents in which the rules of SVG, MathML and HTML alternate, or tags are unbalanced."""

#: The destinations by the document.
TREES: dict[str, list[str]] = {
    "</p><script></script><svg><select></b><math><a href=z>": ["z"],
    "&#</a><svg></a><style>a{b:url(c)} href=q </g><a href=z>": ["c", "z"],
    "<mi><br><svg></script><desc></br></desc></g><a href=z>": ["z"],
    "<p><svg><textarea><title><img src=b><script><math><a href=z>": ["b"],
    "<math></mi></br></title><br></mi></svg><a href=z>": ["z"],
    "<svg><title></foreignObject><a href=z>": ["z"],
    "<svg>-<title><b><math></a> <input></desc><a href=z>": ["z"],
    "<svg><foreignObject>/<desc><svg></a></math></desc>&#<a href=z>": ["z"],
    "<math><annotation-xml encoding=text/html></foreignObject></select></b><a href=z>": ["z"],
    "<svg><style>a<b>c{d:url(e)}</b><!-- x --></style></svg><a href=z>": ["z"],
    "<svg><g><g><a href=b></a></g></g></svg><a href=z>": ["b", "z"],
    "<math><math><mi><desc>=</svg><math></desc></g><a href=z>": ["z"],
    "<svg><title></g></p><a href=z>": ["z"],
    "<table><math></g<title><noscript></b><mi></select><a href=z>": ["z"],
    # The end tag of a body closes nothing.
    "<body><svg></body><textarea><a href=z>": ["z"],
    # An end tag of SVG closes no SVG element that has ended.
    "<svg/><math></svg></textarea><title><a href=z>": ["z"],
    "<div>x<svg/>y<svg><g></svg><math></g><title><a href=z>": ["z"],
    # Start tags of parts of a table are ignored elsewhere, and end SVG in a table.
    "<math><a href=b><annotation-xml encoding=text/html><tr></annotation-xml><image href=c>": [
        "b",
        "c",
    ],
    "<td><svg></td><use href=z>": ["z"],
    "<svg><desc><td><![CDATA[</b><a href=z>": [],
    "<table><svg><title></a><tr><![CDATA[</desc><a href=z>": ["z"],
    "<svg><desc><table><tr><td><table><caption><table><th></table><svg></th></td><use href=z>": [
        "z"
    ],
    "<svg><desc><table><svg><desc><td><title><a href=z>": [],
    "<table><svg><desc><table><title><a href=z>": [],
    "<svg><desc><table><table><td></table><desc></desc><title><a href=z>": [],
    "<table><svg><title><form><![CDATA[<a href=b></a><td><svg><a href=z>": [],
    # Special elements limit the scope of other end tags.
    "<foreignObject><h1><svg></foreignObject><use href=y><a href=z>": ["y", "z"],
    "<div><table><svg></div><use href=y>": ["y"],
    "<svg><desc><ul><li><svg></li><ul><svg></li><use href=z>": ["z"],
    "<svg><desc><button><p><svg></p></button><use href=z>": [],
    "<h1><svg></h2><use href=z>": [],
    "<svg><desc><h1><h2></h1></desc><use href=z>": ["z"],
    "<svg><desc><option><option></option></desc><use href=z>": ["z"],
    "<svg><desc><dl><dd><div><dt></dt></div></dd></dl></desc><use href=z>": ["z"],
    "<svg><desc><li><p><li></li></desc><use href=z>": ["z"],
    # The end tag of a form ends the form alone.
    "<form><svg></form><use href=z>": ["z"],
    "<form><div><svg></form></div><use href=z>": [],
    "<form><svg><desc><form></desc><use href=z>": ["z"],
    "<svg><desc><form><p></form></desc><use href=z>": ["z"],
    "<svg><desc><form><span></form><form></form></span></desc><use href=z>": ["z"],
    # Formatting elements are opened again, and do not close blocks.
    "<p><b></p><svg></b><use href=z>": [],
    "<p><b></p></b><svg></b><use href=z>": ["z"],
    "<b><p><svg></b><use href=z>": [],
    "<b><p><i></b></i><svg></i></p><use href=z>": [],
    "<svg><foreignObject><span><b></span><svg/><![CDATA[<th><desc><a href=z>": ["z"],
    "<svg><foreignObject><p><b></p></foreignObject><desc>x<i></b></i></desc><use href=z>": ["z"],
    "<table><td><b></td></table><svg></b><use href=z>": ["z"],
    "<object><b></object><svg></b><use href=z>": ["z"],
    "<table><b><object><table><svg></b><use href=z>": ["z"],
    "<div><b><b><b><b></div><svg></b></b></b></b><a href=z>": ["z"],
    "<a href=y><svg><desc><a href=z>": ["y", "z"],
    # The first element in a template decides whether it contains parts of a table.
    "<template><tr><td><svg></td><use href=z>": [],
    "<template><svg><desc><tr></desc><use href=z>": ["z"],
    "<template><p><svg><desc><tr></desc><use href=z>": ["z"],
    "<svg><desc><template></template></desc><use href=z>": ["z"],
    "<svg><desc><select><select></desc><use href=z>": ["z"],
    "<math><mi><template><mi></template></mi><mtext><b></x></mtext><mglyph/><a href=z>": ["z"],
    "<svg><style>a{b:url(&ampc)}</style></svg>": ["&c"],
}
