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
}
