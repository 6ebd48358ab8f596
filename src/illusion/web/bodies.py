"""Request bodies: their types, and how they are read, with limits on size and time."""

import asyncio
from typing import Annotated, Final, Literal, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.datastructures import ImmutableMultiDict
from starlette.requests import ClientDisconnect, Request

from illusion.languages import N_
from illusion.rules import Doubt, Move, Penalty, Place, Variant
from illusion.tables import Reaction
from illusion.tables.evenings.evening import Mark
from illusion.tables.eyes import MAX_GUESSES, Guess, HeldSeat, read_seats_code
from illusion.tables.model.entries import PRINTED, Terms
from illusion.web.problems import Problem

MAX_BODY_BYTES: Final = 16 * 1024
BODY_TIMEOUT_S: Final = 20.0
DECODE_ERRORS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Errors of decoding invalid bytes."""
MAX_FORM_FIELDS: Final = 20


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to open."""

    name: str
    seats: int = 4
    variant: Variant = Variant.FIRST_TO_THREE
    bots: list[str] = []
    clock: int | None = None
    penalty: Penalty = Penalty.NOTHING
    guesses: bool = True

    def terms(self) -> Terms:
        return Terms(self.variant, self.clock, self.penalty, self.guesses)


class NewSitter(msgspec.Struct, forbid_unknown_fields=True):
    """A person who sits down: before a game in a free chair, during it in a seat of `open_seats`."""

    name: str
    seat: int | None = None


class NewWaiter(msgspec.Struct, forbid_unknown_fields=True):
    """A person who wants a seat in the next game."""

    name: str


class Lock(msgspec.Struct, forbid_unknown_fields=True):
    """Whether nobody new may sit down."""

    locked: bool


class NewBot(msgspec.Struct, forbid_unknown_fields=True):
    """A bot to seat."""

    level: str


class NewMove(msgspec.Struct, forbid_unknown_fields=True):
    """A move by a player who saw the table at `seq`."""

    move: Literal["place", "doubt"]
    seq: int
    gap: int | None = None

    def chosen(self) -> Move:
        if self.move == "doubt":
            return Doubt()
        if self.gap is None:
            raise Problem(400, "unparsable", why=N_("a placement needs a gap"))
        return Place(self.gap)


class NewReaction(msgspec.Struct, forbid_unknown_fields=True):
    """A reaction to show to the table."""

    reaction: Reaction


class NewEvening(msgspec.Struct, forbid_unknown_fields=True):
    """A club's evening to open."""

    name: str
    terms: Terms = PRINTED
    rated: bool = False
    """Whether the standings go by rating, where the extra `club` is installed, instead of points."""


class NewMark(msgspec.Struct, forbid_unknown_fields=True):
    """Whether somebody is here, away, or removed."""

    mark: Mark


class Door(msgspec.Struct, forbid_unknown_fields=True):
    """Whether newcomers are let in."""

    open: bool


class NewRound(msgspec.Struct, forbid_unknown_fields=True):
    """The round to be drawn, counted from 1."""

    round: int


class Counts(msgspec.Struct, forbid_unknown_fields=True):
    """Whether a table's result counts."""

    counts: bool


class HeldSeats(msgspec.Struct, forbid_unknown_fields=True):
    """The seats that somebody held at finished tables, as a code and as a list, and their guesses there."""

    code: str = ""
    seats: list[HeldSeat] = []
    guesses: Annotated[list[Guess], msgspec.Meta(max_length=MAX_GUESSES)] = []

    def all_seats(self) -> list[HeldSeat]:
        """Raises InvalidCode."""
        return [*self.seats, *(read_seats_code(self.code) if self.code else ())]


Body = TypeVar("Body")
Form = ImmutableMultiDict[str, str]
"""The fields of a form; names may repeat."""


async def parse_body(request: Request, kind: type[Body]) -> Body:
    sent = await read_body(request)
    try:
        return msgspec.json.decode(sent, type=kind)
    except DECODE_ERRORS as error:
        raise unparsable(error) from None


def unparsable(error: Exception) -> Problem:
    return Problem(400, "unparsable", why=str(error).rstrip("."))


async def read_form(request: Request, most_fields: int = MAX_FORM_FIELDS) -> Form:
    try:
        sent = (await read_body(request)).decode()
        return ImmutableMultiDict(parse_qsl(sent, keep_blank_values=True, max_num_fields=most_fields))
    except (UnicodeDecodeError, ValueError):
        raise Problem(400, "unparsable", why=N_("the form cannot be read")) from None


async def read_body(request: Request) -> bytes:
    """The whole body. Refuses one that is too large or takes too long."""
    body, more = b"", True
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            while more and len(body) <= MAX_BODY_BYTES:
                message = await request.receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                body, more = body + message.get("body", b""), message.get("more_body", False)
    except TimeoutError:
        raise Problem(408, "too-slow") from None
    if len(body) > MAX_BODY_BYTES:
        raise Problem(413, "too-large")
    return body
