// The examples above the results.

export const EXAMPLES = [
  { title: "RFC 3986", text: "foo://example.com:8042/over/there?name=ferret#nose" },
  { title: "URN", text: "urn:example:animal:ferret:nose" },
  { title: "IRI", text: "http://bücher.example/rosé?größe=50%25#überblick" },
  { title: "Malformed", text: " http://example.com/black&white^ 100%" },
  { title: "Which host?", text: "http://good.example\\@evil.example/" },
  { title: "Hidden address", text: "http://good.example@0x7f.1/" },
  { title: "Look-alike", text: "https://www.xn--80ak6aa92e.com/login" },
  { title: "Not normalized", text: "HTTP://user@[2001:DB8:0:0:0:0:0:1]:80/%7Ea/./b/../c?q=%e9#x" },
  { title: "Parameters", text: "http://example.org/a%2Fb/%7euser?q=x+y&q=%7E&empty=&flag&&last=1" },
  { title: "Relative", text: "../g;x=1/./y?z#s", base: "http://a/b/c/d;p?q" },
  { title: "One slash", text: "http:/example.com/a" },
];
