"""The clients of the report, with the functions that make the requests."""

from __future__ import annotations

#: The function with which each client makes a request, by the name of its parser.
FUNCTIONS = {
    "urllib.request": "urlopen",
    "urllib3": "PoolManager.request",
    "requests": "Session.get",
    "httpx": "Client.get",
    "aiohttp": "ClientSession.get",
    "tornado": "SimpleAsyncHTTPClient.fetch",
    "libcurl": "curl_easy_perform",
    "libxml2": "xmlNanoHTTPOpen",
    "OpenSSL": "OSSL_HTTP_get",
    "libpq": "PQconnectdb",
    "Qt QUrl": "QNetworkAccessManager.get",
    "Node.js URL": "http.get(new URL(...))",
    "Node.js url.parse": "http.get(url.parse(...))",
    "Deno URL": "fetch",
    "Bun URL": "fetch",
    "PHP parse_url": "file_get_contents",
    "Ruby URI": "Net::HTTP.get_response",
    "Perl URI": "LWP::UserAgent.get",
    "Go net/url": "http.Client.Get",
    "java.net.URI": "HttpClient.send",
    "java.net.URL": "URLConnection.connect",
    "Mono System.Uri": "HttpWebRequest.GetResponse",
    "git": "git ls-remote",
    "Chromium": "location.href",
    "Firefox": "WebDriver:Navigate",
}

#: The schemes with which clients that do not connect to the hosts of http URIs make requests.
SCHEMES = {"libpq": ("postgresql",), "git": ("ssh", "git")}

#: The clients that need about a second for a request, so they request a sample.
SLOW = ("Chromium", "Firefox")

#: The clients that the report calls mainstream: a choice of clients of several languages.
MAINSTREAM = (
    *("urllib.request", "urllib3", "requests", "httpx", "aiohttp", "libcurl", "Node.js URL"),
    *("Go net/url", "java.net.URI"),
)

#: The parsers that follow the URL Standard, except browsers.
URL_STANDARD = ("ada-url", "pydantic", "url-py", "Node.js URL", "Deno URL", "Bun URL")
