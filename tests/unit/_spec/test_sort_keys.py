from uriverse._spec.sort_keys import compute_surt_key, reverse_labels


def test_a_surt_key_starts_with_the_reversed_domain() -> None:
    for text, key in [
        ("http://www.example.org/a?b", "org,example,www)/a?b"),
        ("http://example.org", "org,example)"),
        ("http://example.org:8080/", "org,example:8080)/"),
        ("http://example.org:/", "org,example:)/"),
        ("http://me:secret@example.org/", "org,example)/"),
        ("http://example.org/a#b", "org,example)/a"),
        *(("http://example.org/?#", "org,example)/?"), ("http://example.org./", ",org,example)/")),
        *(("http://localhost/", "localhost)/"), ("http://192.0.2.1:80/", "192.0.2.1:80)/")),
        ("http://192.0.2.256/", "256,2,0,192)/"),
        *(("http://[2001:db8::1]:80/a", "[2001:db8::1]:80)/a"), ("http://[v1.a.b]/", "[v1.a.b])/")),
        *(("//example.org/a", "org,example)/a"), ("file:///a", "file:///a")),
        *(("file:///a#b#", "file:///a"), ("urn:example:a?b#c", "urn:example:a?b"), ("x:", "x:")),
        *(("x:#", "x:"), ("///a", None), ("/a", None), ("", None), ("#a", None)),
    ]:
        assert compute_surt_key(text) == key


def test_labels_are_reversed_but_ip_addresses_are_not() -> None:
    for host, reverse in [
        *(("www.example.org", "org.example.www"), ("localhost", "localhost")),
        *(("example.org.", ".org.example"), (".", "."), ("a..b", "b..a"), ("", "")),
        *(("192.0.2.1", "192.0.2.1"), ("192.0.2", "2.0.192"), ("::1", "::1")),
        ("b\xfccher.example", "example.b\xfccher"),
    ]:
        assert reverse_labels(host) == reverse
