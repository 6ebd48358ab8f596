"""QR codes. Drawing one takes milliseconds, a large one a tenth of a second: only ever in the worker's thread."""

from functools import lru_cache
from io import BytesIO

import segno
from markupsafe import Markup


@lru_cache(256)
def link_code(url: str) -> Markup:
    """For a page to hold. At most 8 KB, as hosts are checked: whoever names ever new ones fills 2 MB."""
    return Markup(segno.make(url, error="m").svg_inline(omitsize=True, border=2, svgclass="qr", lineclass="qr-line"))  # noqa: S704  # nosec B704


@lru_cache(16)
def seats_code_picture(code: str) -> bytes:
    """A picture of its own, of up to 42 KB. Capitals make it smaller."""
    drawn = BytesIO()
    segno.make(code.upper(), error="l", boost_error=False).save(
        drawn, kind="svg", xmldecl=False, omitsize=True, border=2
    )
    return drawn.getvalue()
