"""Cross-site request forgery: may a request change anything, and do its cookies count?

"Verifying Origin With Standard Headers" of the OWASP CSRF Prevention Cheat Sheet. Browsers send Origin with every
request that changes something. A request without it comes from a program, which proves its seat by a Bearer token, so
its cookies are ignored; a browser too old to send Origin can then change nothing.
"""

from enum import Enum
from typing import Final
from urllib.parse import urlsplit

from illusion.web.http.cookies import SECURE_SCHEMES


class CsrfDecision(Enum):
    """What becomes of a request."""

    ALLOW = "allow"
    IGNORE_COOKIES = "ignore cookies"
    REFUSE = "refuse"


MAX_ORIGIN_CHARACTERS: Final = 300
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")


def csrf_decision(method: str, scheme: str, host: str, origin: str | None) -> CsrfDecision:
    """A pure function of the request's method, scheme, Host and Origin headers; opening a WebSocket is not safe."""
    if method in SAFE_METHODS:
        return CsrfDecision.ALLOW
    if origin is None:
        return CsrfDecision.IGNORE_COOKIES
    if len(origin) > MAX_ORIGIN_CHARACTERS:  # before the standard library's URL parser, which keeps what it parsed
        return CsrfDecision.REFUSE
    try:
        parsed = urlsplit(origin)
    except ValueError:
        return CsrfDecision.REFUSE
    schemes = ("https",) if scheme in SECURE_SCHEMES else ("http", "https")  # a proxy may not say that it has TLS
    is_ours = parsed.netloc == host and parsed.scheme in schemes
    return CsrfDecision.ALLOW if is_ours else CsrfDecision.REFUSE
