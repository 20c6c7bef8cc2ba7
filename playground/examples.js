// The examples above the results. The first one is shown when the page opens.

export const EXAMPLES = {
  attacks: [
    { title: "Backslash before “@”", text: "http://good.example\\@evil.example/" },
    { title: "Two “@”", text: "http://me@good.example@evil.example/" },
    { title: "Host as user name", text: "http://good.example@evil.example/" },
    { title: "“@” after “#”", text: "http://good.example#@evil.example/" },
    { title: "Look-alike letters", text: "https://www.xn--80ak6aa92e.com/login" },
    { title: "Hidden loopback address", text: "http://0x7f.1/" },
    { title: "Encoded host", text: "http://%67ood.example/" },
    { title: "One slash", text: "http:/good.example/" },
    { title: "Port overflow", text: "http://good.example:65616/" },
    {
      title: "Path around a policy",
      text: "https://api.example.com/v1/..;/admin",
      policy: { allow: "https://api.example.com/v1/", deny: "" },
    },
  ],
  syntax: [
    { title: "RFC 3986", text: "foo://example.com:8042/over/there?name=ferret#nose" },
    { title: "URN", text: "urn:example:animal:ferret:nose" },
    { title: "IRI", text: "http://bücher.example/rosé?größe=50%25#überblick" },
    { title: "Malformed", text: " http://example.com/black&white^ 100%" },
    {
      title: "Not normalized",
      text: "HTTP://user@[2001:DB8:0:0:0:0:0:1]:80/%7Ea/./b/../c?q=%e9#x",
    },
    {
      title: "Parameters",
      text: "http://example.org/a%2Fb/%7euser?q=x+y&q=%7E&empty=&flag&&last=1",
    },
    { title: "Relative", text: "../g;x=1/./y?z#s", base: "http://a/b/c/d;p?q" },
  ],
};
