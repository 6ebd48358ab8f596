"""Settings of a device: one cookie that its pages write and the server reads."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from illusion.deck import PALETTES
from illusion.web.http.cookies import cookie

CHOICES: Final = {
    "palette": tuple(PALETTES),
    "theme": ("system", "light", "dark"),
    "sound": ("on", "quiet", "off"),
    "motion": ("system", "reduced"),
    "reactions": ("shown", "muted"),
    "keys": ("on", "off"),
}
"""Each setting and what it can be; the first is what nobody has to choose."""


def settings(request: Request) -> dict[str, str]:
    """Every setting of the device that asks; what cannot be read counts as not chosen."""
    chosen = dict(parse_qsl(cookie(request, "settings"), max_num_fields=None))
    return {name: chosen[name] if chosen.get(name) in possible else possible[0] for name, possible in CHOICES.items()}
