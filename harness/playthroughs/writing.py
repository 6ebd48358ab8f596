"""The format of recordings: names instead of secrets, readable JSON, differences of views."""

import json
import re
from hashlib import sha256
from typing import Any, Final

WIDTH: Final = 118
MOST_SENT: Final = 300
"""Characters of a request's body that are recorded."""
ID_LENGTH: Final = 8
LETTERS: Final = 26
"""Tokens that are named by a letter; pages draw many more."""
CARD: Final = re.compile(r"(?<!\w)[2-9a-hjkmnp-z]{8}[0-9a-f]{32}(?!\w)")
TOKEN: Final = re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])")
SECRET: Final = re.compile(r'"(seed|nonce|commitment)": ?"([0-9a-f]{32,64})"')
DRAWN: Final = re.compile(r"(?<!\w)(?:[\w-]{43}|[0-9a-z]{40}|[0-9a-f]{64}|[0-9a-f]{32}|[2-9a-z]{8})(?!\w)")
"""Random values that may get a name: a token, a card's address, a hash or seed, a nonce, a table's id."""
ASSET: Final = re.compile(r"/static/[0-9a-f]{12}/")


def rounded(number: str) -> float:
    """Rounded to five decimals: enough to notice a change."""
    return round(float(number), 5)


class Names:
    """Names for random values, in order of appearance."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._count: dict[str, int] = {}

    def named(self, text: str) -> str:
        """The text with TABLE-1, CARD-7, TOKEN-A and so on instead of random values."""
        for token in TOKEN.findall(text):
            self.know(token, "TOKEN")
        for kind, value in SECRET.findall(text):
            self.know(value, kind.upper())
        for card in CARD.findall(text):
            if card[:ID_LENGTH] in self._names:
                self.know(card, "CARD")
        return ASSET.sub("/static/VERSION/", DRAWN.sub(lambda found: self._names.get(found[0], found[0]), text))

    def read(self, text: str) -> Any:
        """The JSON with names instead of random values."""
        return json.loads(self.named(text), parse_float=rounded)

    def real(self, name: str) -> str:
        """The value of this name."""
        return next(value for value, known in self._names.items() if known == name)

    def know(self, value: str, kind: str) -> None:
        """Name a value."""
        if value in self._names:
            return
        self._count[kind] = number = self._count.get(kind, 0) + 1
        name = chr(ord("A") + number - 1) if kind == "TOKEN" and number <= LETTERS else str(number)
        self._names[value] = f"{kind}-{name}"
        if kind == "TOKEN":
            self._names[sha256(value.encode()).hexdigest()] = f"HASH-OF-TOKEN-{name}"


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def laid_out(value: Any, first: int = 0, indent: int = 4) -> str:
    """JSON that starts at column `first`: on this line if it fits, else on several."""
    whole = compact(value)
    if first + len(whole) <= WIDTH or not isinstance(value, dict | list) or not value:
        return whole
    pad = " " * indent
    if isinstance(value, dict):
        parts = [f"{compact(key)}: {laid_out(each, indent + len(key) + 4, indent + 2)}" for key, each in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [laid_out(each, indent, indent + 2) for each in value]
        opening, closing = "[", "]"
    lines = [""]
    for part in parts:
        if lines[-1] and (len(lines[-1]) + len(part) + indent > WIDTH or "\n" in part or "\n" in lines[-1]):
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{part},"
    inside = f"\n{pad}".join(lines)
    return f"{opening}\n{pad}{inside[:-1]}{closing}"


def changes(old: Any, new: Any) -> Any:
    """The changed fields of a view; of a list that has grown by one, the new item."""
    if isinstance(old, dict) and isinstance(new, dict):
        changed = {key: changes(old.get(key), each) for key, each in new.items() if old.get(key, ...) != each}
        return changed | {key: "gone" for key in old if key not in new}
    if isinstance(old, list) and isinstance(new, list) and old and len(new) == len(old) + 1:
        at = next((at for at, each in enumerate(old) if new[at] != each), len(old))
        if new[:at] + new[at + 1 :] == old:
            return {"+": new[at], "at": at}
    return new


def problem_in_short(body: dict[str, Any]) -> str:
    """A problem's code, sentence and parameters."""
    assert body["type"] == "about:blank"
    assert body["title"] == body["code"]
    more = {key: each for key, each in body.items() if key not in ("type", "title", "status", "code", "detail")}
    return f"{body['code']}: {body['detail']} {compact(more) if more else ''}".rstrip()


def body_in_short(text: str) -> str:
    """The body of a request, shortened."""
    return f" {text}" if len(text) <= MOST_SENT else f" {text[:20]}… ({len(text)} characters)"
