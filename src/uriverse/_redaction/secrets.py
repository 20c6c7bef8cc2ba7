"""Recognize secrets: names of parameters, JSON Web Tokens, and segments of paths."""

from __future__ import annotations

from uriverse._lazy import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


RFC = "https://www.rfc-editor.org/rfc/"

#: The names of parameters that carry secrets, with the specification or product that defines them
#: and its address. Only letters and digits count, and their case does not.
SOURCES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "OAuth 2.0",
        f"{RFC}rfc6749#appendix-A",
        ("access_token", "refresh_token", "client_secret", "code", "password"),
    ),
    ("PKCE", f"{RFC}rfc7636#section-4.5", ("code_verifier",)),
    ("OAuth 2.0 assertions", f"{RFC}rfc7521#section-4", ("assertion", "client_assertion")),
    ("OAuth 2.0 for devices", f"{RFC}rfc8628#section-3", ("device_code", "user_code")),
    ("OAuth 2.0 token revocation", f"{RFC}rfc7009#section-2.1", ("token",)),
    ("OAuth 2.0 token exchange", f"{RFC}rfc8693#section-2.1", ("subject_token", "actor_token")),
    (
        "OAuth 1.0",
        f"{RFC}rfc5849#section-3.1",
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
        ("SAMLRequest", "SAMLResponse", "SAMLart"),
    ),
    (
        "WS-Federation",
        "https://docs.oasis-open.org/wsfed/federation/v1.2/os/ws-federation-1.2-spec-os.html",
        ("wresult",),
    ),
    (
        "CAS",
        "https://apereo.github.io/cas/development/protocol/CAS-Protocol-Specification.html",
        ("ticket", "pgt", "pgtId", "pgtIou"),
    ),
    (
        "HashiCorp Vault",
        "https://developer.hashicorp.com/vault/api-docs/auth/approle",
        ("secret_id", "client_token"),
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
    ("Google API keys", "https://cloud.google.com/docs/authentication/api-keys-use", ("key",)),
    (
        "Azure shared access signatures",
        "https://learn.microsoft.com/rest/api/storageservices/create-service-sas",
        ("sig", "AccountKey", "SharedAccessKey"),
    ),
    (
        "Akamai",
        "https://techdocs.akamai.com/adaptive-media-delivery/docs/add-token-auth",
        ("hdnea", "hdntl", "hdnts", "__gda__"),
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
            *("auth", "authorization", "bearer", "creds", "credentials", "hmac", "jwt", "otp"),
            *("pass", "passphrase", "passwd", "pw", "pwd", "secret", "session", "session_id"),
            *("sessid", "sid"),
        ),
    ),
)

#: A name that contains one of these is secret as well: `user[password]`, `password_confirmation`.
WORDS = (
    *("apikey", "credential", "csrf", "passcode", "passphrase", "passwd", "password", "privatekey"),
    *("pvtkey", "secret", "xsrf"),
)

#: So is a name that ends with one of these: `github_token`, `db_pass`.
ENDINGS = (
    # Tokens and signatures.
    *("token", "tokenid", "tokenhash", "tkn", "jwt", "assertion", "sig", "hmac", "authsign"),
    *("shasign", "signature", "signaturevalue", "securehash", "sessionhash", "signedrequest"),
    *("signedpayload", "verifier"),
    # Passwords and keys.
    *("pass", "pswd", "psw", "pwd", "pw", "key", "keyid"),
    # Sessions, and permission to log in.
    *("sessionid", "sessid", "session", "ticket", "authcookie", "auth", "authorization", "otp"),
    # Codes that are used once.
    *("accesscode", "activationcode", "authcode", "authorizationcode", "authorizedcode"),
    *("backupcode", "confirmationcode", "devicecode", "duocode", "jscode", "logincode"),
    *("oauthcode", "onetimecode", "oobcode", "otpcode", "recoverycode", "resetcode"),
    *("securitycode", "sessioncode", "smscode", "txcode", "verificationcode"),
)

#: A name that ends with one of these is not, unless it contains a word of `WORDS`.
PUBLIC_ENDINGS = (
    # Pages of a list.
    *("pagetoken", "nexttoken", "prevtoken", "continuationtoken", "synctoken", "deltatoken"),
    *("skiptoken",),
    # Keys that find or sort something.
    *("cachekey", "foreignkey", "groupkey", "groupingkey", "indexkey", "issuekey", "itemkey"),
    *("lookupkey", "objectkey", "orderkey", "partitionkey", "primarykey", "projectkey", "pubkey"),
    *("publickey", "publickeyid", "publishablekey", "routingkey", "rowkey", "sentrykey"),
    *("sitekey", "sortkey", "startkey", "endkey", "translationkey"),
    # Other words.
    *("bypass", "compass", "donkey", "hockey", "hotkey", "jockey", "monkey", "turkey", "whiskey"),
)

#: The characters of a name that count.
SIGNIFICANT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

#: A percent-encoded octet; its percent sign may be encoded again, as in `%2541`.
OCTET = lazy_pattern("%(?:25)*+([0-9A-Fa-f]{2})?")

BEFORE_NAME = lazy_pattern(r"[?&#;=/\\]")

BRACKET = lazy_pattern(r"[\[\]]")

#: A JSON Web Token, signed ([RFC 7515][1]) or encrypted ([RFC 7516][2]): base64url parts that are
#: separated by dots. The first one encodes a JSON object, whose first characters are `{"`.
#:
#: [1]: https://www.rfc-editor.org/rfc/rfc7515#section-3.1
#: [2]: https://www.rfc-editor.org/rfc/rfc7516#section-3.1
JWT = lazy_pattern(
    r"(?:(?<![A-Za-z0-9_-])|(?<=%[0-9A-Fa-f]{2})|(?<=%25[0-9A-Fa-f]{2})|(?<=%2525[0-9A-Fa-f]{2})"
    r"|(?<=\\[nrt]))eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}"
)


def simplify_name(name: str) -> str:
    return "".join(filter(SIGNIFICANT.__contains__, name)).lower()


#: All names of `SOURCES`, as `simplify_name` returns them.
NAMES = frozenset(simplify_name(name) for _, _, names in SOURCES for name in names)


def is_secret(name: str) -> bool:
    """Return whether the value of a parameter is a secret, by its percent-encoded name.

    Only the part after an encoded delimiter counts, because it is the name of a parameter in a
    nested URI. In a name with brackets, such as `user[token][0]`, the whole name counts, and so
    does each part.
    """
    if "%" in name:
        name = OCTET.sub(lambda octet: chr(int(octet[1] or "25", 16)), name)
    *_, name = BEFORE_NAME.split(name)
    return any(is_secret_simplified(simplify_name(part)) for part in (name, *BRACKET.split(name)))


def is_secret_simplified(name: str) -> bool:
    """Return whether a simplified name, such as `accesstoken`, is that of a secret."""
    name = name.rstrip("0123456789")  # `password2` is as secret as `password`
    if name in NAMES or any(word in name for word in WORDS):
        return True
    # The value of `accesstoken` is a secret, that of `pagetoken` is not.
    return name.endswith(ENDINGS) and not name.endswith(PUBLIC_ENDINGS)


#: Segments before a secret, in lower case. Other segments may be between them.
PATH_WORDS = (
    # Webhooks of chats and of other services.
    *("hook", "hooks", "webhook", "webhooks", "webhookb2", "incoming", "services", "triggers"),
    *("workflows", "build_hooks", "deploy_hooks", "deploy", "heartbeat", "integrations", "inputs"),
    # Links in messages, with which people log in, confirm an address or choose a new password.
    *("magic", "magiclink", "magic-link", "magic_link"),
    *("reset", "resetpassword", "reset-password", "reset_password"),
    *("password", "passwordreset", "password-reset", "password_reset", "recover"),
    *("verify", "verifyemail", "verify-email", "verify_email", "confirm", "confirmation"),
    *("activate", "invite", "invitation", "welcome", "login", "log-in", "signin", "sign-in"),
    *("token", "key", "ticket", "trusted", "unsubscribe"),
)

#: A slash, which may be percent-encoded in a nested URI.
SLASH = "(?:/|%(?:25)*+2[Ff])"

#: A segment that is one of the words, and the segments after it.
AFTER_WORD = lazy_pattern(
    rf"(?ai:{SLASH}(?:{'|'.join(PATH_WORDS)})(?={SLASH}))([^\x00-\x20\x7f\"<>`?#&]++)"
)

#: A segment that looks random: it is long and contains a digit, or it is very long.
RANDOM = lazy_pattern(rf"{SLASH}((?=[^/%]*[0-9])[\w.~:=@+-]{{10,}}+|[\w.~:=@+-]{{24,}}+)")

#: The number and the key of a Telegram bot.
BOT = lazy_pattern(rf"{SLASH}bot([0-9]+(?::|%(?:25)*+3[Aa])[A-Za-z0-9_-]+)")


def find_path_secrets(text: str) -> Iterator[tuple[int, int]]:
    for bot in BOT.finditer(text):
        yield bot.span(1)
    for segments in AFTER_WORD.finditer(text):
        for segment in RANDOM.finditer(text, *segments.span(1)):
            yield segment.span(1)
