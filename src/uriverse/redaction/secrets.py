"""The parameters whose values are secrets, and the form of JSON Web Tokens."""

from __future__ import annotations

from uriverse._patterns import lazy_pattern

#: The names of parameters that carry secrets, with the specification or product that defines them
#: and its address. Only letters and digits count, and their case does not.
SOURCES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "OAuth 2.0",
        "https://www.rfc-editor.org/rfc/rfc6749#appendix-A",
        ("access_token", "refresh_token", "client_secret", "code", "password"),
    ),
    ("PKCE", "https://www.rfc-editor.org/rfc/rfc7636#section-4.5", ("code_verifier",)),
    (
        "OAuth 2.0 assertions",
        "https://www.rfc-editor.org/rfc/rfc7521#section-4",
        ("assertion", "client_assertion"),
    ),
    (
        "OAuth 2.0 for devices",
        "https://www.rfc-editor.org/rfc/rfc8628#section-3",
        ("device_code", "user_code"),
    ),
    (
        "OAuth 2.0 token revocation",
        "https://www.rfc-editor.org/rfc/rfc7009#section-2.1",
        ("token",),
    ),
    (
        "OAuth 2.0 token exchange",
        "https://www.rfc-editor.org/rfc/rfc8693#section-2.1",
        ("subject_token", "actor_token"),
    ),
    (
        "OAuth 1.0",
        "https://www.rfc-editor.org/rfc/rfc5849#section-3.1",
        ("oauth_token", "oauth_token_secret", "oauth_signature", "oauth_verifier"),
    ),
    (
        "OpenID Connect",
        "https://openid.net/specs/openid-connect-core-1_0.html",
        ("id_token", "id_token_hint", "logout_token"),
    ),
    (
        "SAML 2.0",
        "https://docs.oasis-open.org/security/saml/v2.0/saml-bindings-2.0-os.pdf",
        ("SAMLResponse", "SAMLart"),
    ),
    (
        "AWS Signature Version 4",
        "https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html",
        ("X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token"),
    ),
    (
        "OpenTelemetry",
        "https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/",
        ("AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature"),
    ),
    (
        "Google Cloud Storage",
        "https://cloud.google.com/storage/docs/authentication/signatures",
        ("X-Goog-Signature", "X-Goog-Credential"),
    ),
    (
        "Google API keys",
        "https://cloud.google.com/docs/authentication/api-keys-use",
        ("key",),
    ),
    (
        "Azure shared access signatures",
        "https://learn.microsoft.com/rest/api/storageservices/create-service-sas",
        ("sig",),
    ),
    (
        "Azure API Management",
        "https://learn.microsoft.com/azure/api-management/api-management-subscriptions",
        ("subscription-key",),
    ),
    ("Jakarta Servlet", "https://jakarta.ee/specifications/servlet/6.0/", ("jsessionid",)),
    ("PHP", "https://www.php.net/manual/session.configuration.php", ("PHPSESSID",)),
    (
        "ASP.NET",
        "https://learn.microsoft.com/dotnet/api/system.web.configuration.sessionstatesection",
        ("ASP.NET_SessionId",),
    ),
    (
        "Names in common use",
        "https://owasp.org/www-community/vulnerabilities/Information_exposure_through_query_strings_in_url",
        (
            *("api_key", "access_key", "secret_key", "private_key", "session_key", "auth_key"),
            *("auth", "authorization", "credentials", "hmac", "jwt", "otp", "pass", "passphrase"),
            *("passwd", "pwd", "secret", "session", "session_id", "sessid", "sid"),
        ),
    ),
)

#: A name that ends with one of these is secret as well: `github_token`, `user[password]`.
ENDINGS = (
    *("token", "secret", "password", "passwd", "passphrase", "signature", "credential"),
    *("credentials", "apikey", "accesskey", "accesskeyid", "secretkey", "privatekey"),
    *("sessionkey", "subscriptionkey", "sessionid", "sessid", "jwt", "assertion", "authorization"),
)

#: Names that end with "token", although their values only mark a page of a list.
PAGES = frozenset(
    {"pagetoken", "nextpagetoken", "prevpagetoken", "nexttoken", "continuationtoken", "synctoken"}
)

#: The characters of a name that count.
SIGNIFICANT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

#: A percent-encoded octet; its percent sign may be encoded again, as in `%2541`.
OCTET = lazy_pattern("%(?:25)*+([0-9A-Fa-f]{2})?")

#: A JSON Web Token, signed ([RFC 7515][1]) or encrypted ([RFC 7516][2]): base64url parts that are
#: separated by dots. The first one encodes a JSON object, whose first characters are `{"`.
#:
#: [1]: https://www.rfc-editor.org/rfc/rfc7515#section-3.1
#: [2]: https://www.rfc-editor.org/rfc/rfc7516#section-3.1
JWT = lazy_pattern(
    r"(?:(?<![A-Za-z0-9_-])|(?<=%[0-9A-Fa-f]{2})|(?<=%25[0-9A-Fa-f]{2})|(?<=%2525[0-9A-Fa-f]{2})"
    r"|(?<=\\[nrt]))eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}"
)


def plain_name(name: str) -> str:
    """Return the ASCII letters and digits of a name, in lower case."""
    return "".join(filter(SIGNIFICANT.__contains__, name)).lower()


#: All names of `SOURCES`, as `plain_name` returns them.
NAMES = frozenset(plain_name(name) for _, _, names in SOURCES for name in names)


def is_secret(name: str) -> bool:
    """Return whether the value of a parameter is a secret, by the name of the parameter.

    The name may be percent-encoded. If it contains an encoded delimiter, only the part after that
    delimiter counts, because it is the name of a parameter in a nested URI. An index in brackets
    after the name, as in `token[0]`, does not count.
    """
    if "%" in name:
        name = OCTET.sub(lambda octet: chr(int(octet[1] or "25", 16)), name)
        for delimiter in "?&#;=/\\":
            name = name.rpartition(delimiter)[2]
    return is_secret_plain(plain_name(name)) or (
        "[" in name and is_secret_plain(plain_name(name.partition("[")[0]))
    )


def is_secret_plain(plain: str) -> bool:
    """Return whether a name is that of a secret parameter, as `plain_name` returns it."""
    return plain in NAMES or (plain.endswith(ENDINGS) and plain not in PAGES)
