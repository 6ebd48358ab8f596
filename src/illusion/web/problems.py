"""Errors: `application/problem+json` (RFC 9457) with a stable code for programs, and a sentence for people."""

from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from illusion.languages import N_, Language
from illusion.rules import RuleCode, RulesError
from illusion.tables import RefusalCode, Refused, StoreFailed
from illusion.tables.worker import TooMuchWork


class Problem(Exception):
    """A request that the web layer itself refuses."""

    def __init__(self, status: int, code: str, **parameters: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.parameters = parameters


STATUS: Final = {
    RefusalCode.NO_SUCH_TABLE: 404,
    RefusalCode.NOT_SEATED: 403,
    RefusalCode.NOT_HOST: 403,
    RefusalCode.SENT_AWAY: 403,
    RefusalCode.BAD_NAME: 400,
    RefusalCode.BAD_SEATS: 400,
    RefusalCode.BAD_CLOCK: 400,
    RefusalCode.UNKNOWN_LEVEL: 400,
    RefusalCode.NO_SUCH_EVENING: 404,
    RefusalCode.NO_SUCH_PERSON: 404,
}
"""Statuses of refusals, where not 409."""

SENTENCES: Final[dict[str, str]] = {
    "unparsable": N_("This request cannot be read: %(why)s."),
    "no-token": N_("Say who you are: no seat token was sent."),
    "foreign-origin": N_("This request came from another site."),
    "not-found": N_("There is nothing at this address."),
    "method-not-allowed": N_("You can't do that at this address."),
    "too-large": N_("This request is too large."),
    "too-slow": N_("This request took too long to arrive."),
    "too-many": N_("Too many requests. Wait a moment and try again."),
    "too-many-tables": N_("Too many tables of yours are unfinished. Finish a game before you open another."),
    "too-many-streams": N_("Too many pages are open here at once. Close one and this page will carry on."),
    "bad-code": N_("This code cannot be read. Copy all of it and try again."),
    "broken": N_("That was our fault, not yours. Nothing at your table is lost."),
    "store-failed": N_("The table's log cannot be written just now. Look at the table and try again in a moment."),
    RefusalCode.NO_SUCH_TABLE: N_("There is no such table. Check the code and try again."),
    RefusalCode.NOT_SEATED: N_("This is not your seat."),
    RefusalCode.NOT_HOST: N_("Only the host can do that."),
    RefusalCode.NOT_YOUR_TURN: N_("It is not your turn."),
    RefusalCode.STALE: N_("Somebody beat you to it. Look at the table again."),
    RefusalCode.TABLE_FULL: N_("All seats at this table are taken."),
    RefusalCode.TABLE_WORN_OUT: N_("There was too much coming and going at this table. Play on, or open a new one."),
    RefusalCode.TABLE_CLOSED: N_("This table has been closed."),
    RefusalCode.TABLE_LOCKED: N_("The host has locked this table. You can watch."),
    RefusalCode.SEAT_TAKEN: N_("That seat is taken. Choose another one."),
    RefusalCode.SENT_AWAY: N_("The host has asked you to leave this table. You can watch."),
    RefusalCode.NOBODY_THERE: N_("There is nobody you could ask that."),
    RefusalCode.ALREADY_STARTED: N_("The game has already begun."),
    RefusalCode.NOT_PLAYING: N_("No game is being played here."),
    RefusalCode.NOT_OVER: N_("The game is not over yet."),
    RefusalCode.TOO_FEW_PLAYERS: N_("It takes at least two to play."),
    RefusalCode.NO_BOT_THERE: N_("There is no bot in that seat."),
    RefusalCode.BAD_NAME: N_("A name needs 1 to %(longest)s visible characters."),
    RefusalCode.BAD_SEATS: N_("A table has %(fewest)s to %(most)s seats, one of them for you."),
    RefusalCode.BAD_CLOCK: N_("The clock can be off, or set to 20, 45 or 90 seconds, one day or three days."),
    RefusalCode.UNKNOWN_LEVEL: N_("There is no such level."),
    RefusalCode.NO_SUCH_EVENING: N_("There is no such evening. Check the link and try again."),
    RefusalCode.NO_SUCH_PERSON: N_("There is no such person here."),
    RefusalCode.DOOR_CLOSED: N_("The door is closed. Ask the host to let you in."),
    RefusalCode.EVENING_FULL: N_("This evening is full: %(most)s people are here."),
    RefusalCode.EVENING_WORN_OUT: N_("There was too much coming and going this evening. Open a new one."),
    RefusalCode.ROUND_DRAWN: N_("This round has been drawn already."),
    RefusalCode.ROUND_NOT_OVER: N_("Table %(table)s is still playing. Wait for it, or leave it out."),
    RefusalCode.TOO_FEW_HERE: N_("It takes at least %(fewest)s people to draw a round."),
    RuleCode.GAME_OVER: N_("The game is over."),
    RuleCode.GAP_OUT_OF_RANGE: N_("There is no such gap in the row."),
    RuleCode.DECK_EMPTY: N_("The deck is empty: you can only doubt."),
    RuleCode.NOTHING_TO_DOUBT: N_("There is nothing to doubt yet: place a card first."),
    RuleCode.GAP_NOT_AN_INTEGER: N_("A gap must be a whole number."),
    RuleCode.NOT_A_MOVE: N_("That is not a move."),
}

Refusal = Problem | Refused | RulesError

TOO_MANY_REQUESTS: Final = 429
REFUSALS: Final = (Problem, Refused, RulesError, HTTPException, StoreFailed, TooMuchWork)
"""Errors that are answers, not faults."""


def as_refusal(error: Exception) -> Refusal:
    match error:
        case Problem() | Refused() | RulesError():
            return error
        case HTTPException():
            code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "unparsable")
            return Problem(error.status_code, code, why=error.detail)
        case TooMuchWork():
            return Problem(TOO_MANY_REQUESTS, "too-many", wait=2)
        case _:
            return Problem(503, "store-failed")


def describe(error: Refusal, language: Language) -> tuple[int, str, str]:
    """Status, code and sentence of an error, the sentence in the reader's language."""
    match error:
        case Problem():
            status = error.status
        case Refused():
            status = STATUS.get(error.code, 409)
        case _:
            status = 409
    parameters = dict(error.parameters)
    if "why" in parameters:
        parameters["why"] = language.gettext(str(parameters["why"]))
    return status, str(error.code), language.gettext(SENTENCES[error.code]) % parameters


def problem_body(error: Refusal, language: Language) -> dict[str, Any]:
    status, code, sentence = describe(error, language)
    body: dict[str, Any] = {"type": "about:blank", "title": code, "status": status, "code": code, "detail": sentence}
    return body | {name: value for name, value in error.parameters.items() if name in ("seq", "to_play")}


def problem_response(error: Refusal, language: Language) -> Response:
    body = problem_body(error, language)
    return Response(msgspec.json.encode(body), body["status"], media_type="application/problem+json")
