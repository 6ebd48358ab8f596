"""What went wrong: `application/problem+json` with a stable code for programs, a sentence for people."""

from typing import Any, Final

import msgspec
from starlette.responses import Response

from illusion.rules import Code as RulesCode
from illusion.rules import RulesError
from illusion.tables import Code, Refused


class Problem(Exception):
    """A refusal that the web itself makes."""

    def __init__(self, status: int, code: str, **parameters: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.parameters = parameters


STATUS: Final = {
    Code.NO_SUCH_TABLE: 404,
    Code.NOT_SEATED: 403,
    Code.NOT_HOST: 403,
    Code.BAD_NAME: 400,
    Code.BAD_SEATS: 400,
    Code.BAD_CLOCK: 400,
    Code.UNKNOWN_LEVEL: 400,
}
"""Refusals of the table that are not simply impossible now (409)."""

SENTENCES: Final[dict[str, str]] = {
    "unparsable": "This request cannot be read: %(why)s.",
    "no-token": "Say who you are: no seat token was sent.",
    "foreign-origin": "This request came from another site.",
    "not-found": "There is nothing at this address.",
    "method-not-allowed": "This address does not do that.",
    "too-large": "This request is too large.",
    "too-many": "That was too often. Wait a moment and try again.",
    "too-many-streams": "Too many pages are open here at once. Close one, then this one goes on.",
    "broken": "Something broke here; what was acknowledged is kept. Look at the table again.",
    "store-failed": "The table's log cannot be written just now; nothing was changed. Try again in a moment.",
    Code.NO_SUCH_TABLE: "There is no such table. Check the code and try again.",
    Code.NOT_SEATED: "This is not your seat.",
    Code.NOT_HOST: "Only the host can do that.",
    Code.NOT_YOUR_TURN: "It is not your turn.",
    Code.STALE: "Somebody was faster. Look at the table again.",
    Code.TABLE_FULL: "All chairs at this table are taken.",
    Code.TABLE_CLOSED: "This table has been closed.",
    Code.ALREADY_STARTED: "The game has already begun.",
    Code.NOT_PLAYING: "No game is being played here.",
    Code.NOT_OVER: "The game is not over yet.",
    Code.TOO_FEW_PLAYERS: "It takes at least two to play.",
    Code.NO_BOT_THERE: "There is no bot in that chair.",
    Code.BAD_NAME: "A name has 1 to %(longest)s visible characters.",
    Code.BAD_SEATS: "A table has %(fewest)s to %(most)s chairs, one of them for you.",
    Code.BAD_CLOCK: "The clock is off, or 20, 45 or 90 seconds.",
    Code.UNKNOWN_LEVEL: "There is no such level.",
    RulesCode.GAME_OVER: "The game is over.",
    RulesCode.GAP_OUT_OF_RANGE: "There is no such gap in the row.",
    RulesCode.DECK_EMPTY: "The deck is empty: you can only doubt.",
    RulesCode.NOTHING_TO_DOUBT: "There is nothing to doubt yet: lay a card first.",
    RulesCode.GAP_NOT_AN_INTEGER: "A gap is a whole number.",
    RulesCode.NOT_A_MOVE: "That is not a move.",
}


def told(error: Problem | Refused | RulesError) -> tuple[int, str, str]:
    """Status, code and sentence of an error."""
    if isinstance(error, Problem):
        status = error.status
    elif isinstance(error, Refused):
        status = STATUS.get(error.code, 409)
    else:
        status = 409
    return status, str(error.code), SENTENCES[error.code] % error.parameters


def problem(error: Problem | Refused | RulesError) -> Response:
    status, code, sentence = told(error)
    body: dict[str, Any] = {"type": "about:blank", "title": code, "status": status, "code": code, "detail": sentence}
    body |= {name: value for name, value in error.parameters.items() if name in ("seq", "to_play")}
    return Response(msgspec.json.encode(body), status, media_type="application/problem+json")
