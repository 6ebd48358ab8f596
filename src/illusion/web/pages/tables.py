"""The pages of a table: in play, on a shared screen, its invitation, replay and review."""

from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from typing import Any, Final

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from illusion.languages import N_
from illusion.tables import Phase, RefusalCode, Refused, StoreFailed, Table, public_view
from illusion.tables.evenings.evening import KEY, Evening
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.notices import BadAddress, Kept
from illusion.web import tokens, urls
from illusion.web.bodies import read_form
from illusion.web.context import context, current_table
from illusion.web.limits import client_address
from illusion.web.pages import page
from illusion.web.problems import Problem, describe
from illusion.web.reader import language_of
from illusion.web.tokens import (
    device_hashes,
    held_seats,
    seat_cookies,
    set_seat_cookie,
)

MAX_EVENINGS_LOOKED_AT: Final = 3


async def table(request: Request) -> Response:
    """Opening the page takes seats back from their stand-ins."""
    service, state = context(request).service, await current_table(request)
    held = held_seats(request, state)
    if any(state.sitter(seat).away for seat in held):

        def come_back(state: Table, now: float) -> list[AnyEntry]:
            return [entry for seat in held_seats(request, state) for entry in commands.come_back(state, now, seat)]

        with suppress(Refused):  # they can still look, and come back by moving
            await service.execute(state.id, come_back)
    return await table_page(request, state)


async def table_page(request: Request, state: Table, refusal: Refused | None = None) -> Response:
    """Perhaps with the reason why there is no seat."""
    held, known = held_seats(request, state), device_hashes(request, state.id)
    is_open, is_sent_away = not held and state.phase is Phase.WAITING, not state.barred.isdisjoint(known)
    is_nameless = len(held) == 1 and state.sitter(held[0]).name == guest(request)
    is_game_on = state.phase in (Phase.PLAYING, Phase.OVER) and (state.open_seats or state.can_wait)
    comes_late = is_game_on and not held and not is_sent_away and not _waits(state, known)
    if is_sent_away:
        refusal = Refused(RefusalCode.SENT_AWAY)
    status, _, problem = (200, "", "") if refusal is None else describe(refusal, language_of(request))
    response = await _page(
        request,
        "table.html",
        state,
        held,
        status=200 if request.method == "GET" else status,
        problem=problem,
        is_sent_away=is_sent_away,
        join_url=address_for_phones(request, urls.table_page(state.id)),
        can_join=is_open and state.open_seats and not is_sent_away,
        asks_name=is_nameless and state.phase is Phase.WAITING,
        is_full=is_open and not state.open_seats,
        asks_seat=comes_late and state.phase is Phase.PLAYING and (state.open_seats or problem),
        may_see_seats=comes_late or (state.host in held and state.phase is not Phase.CLOSED),
        evening=await _evening_of(request, state.id),
        notify_at=await _notify_at(request, state, held),
    )
    if held and (state.terms.clock or 0) >= commands.DAY_S:  # the game may last longer than a cookie
        set_seat_cookie(response, request, state.id, tokens.held(request, state.id).tokens)
    return response


def _waits(state: Table, hashes: Collection[str]) -> bool:
    """Whether one of these tokens will hold a seat in the next game."""
    return any(state.promise_of(each) is not None for each in hashes)


async def seats(request: Request) -> Response:
    """Who sits where, for somebody who comes late or for the host: a part of the table's page, as it is now."""
    state = await current_table(request)
    return await _page(request, "_seats.html", state, held_seats(request, state), problem="")


def guest(request: Request) -> str:
    """The default name."""
    return language_of(request).gettext(N_("Guest"))


async def _evening_of(request: Request, table: str) -> str | None:
    """The club evening, known to this device, of which this is a table."""
    async for evening in known_evenings(request):
        if any(drawn.id == table for drawn in evening.tables):
            return evening.id
    return None


async def known_evenings(request: Request) -> AsyncIterator[Evening]:
    """The last evenings of this device; none if the client is over the limit on guessing ids."""
    limiter = context(request).rate_limiter
    for id in seat_cookies(request, KEY)[: -MAX_EVENINGS_LOOKED_AT - 1 : -1]:
        try:
            limiter.enforce_guesses(client_address(request), 1)
            evening = await context(request).evenings.get(id)
        except (Problem, Refused, StoreFailed):
            continue
        limiter.return_guesses(client_address(request), 1)
        yield evening


async def _notify_at(request: Request, state: Table, held: list[int]) -> str | None:
    """Where the one person at this device is told of their turn; None if nobody can be told."""
    notices = context(request).notices
    if notices is None or len(held) != 1 or state.phase not in (Phase.WAITING, Phase.PLAYING):
        return None
    kept = (await notices.kept(state.id)).get(state.sitter(held[0]).token_hash or "")
    return kept.address if kept else ""


async def notify(request: Request) -> Response:
    """Keep an address for notices; an empty one takes it back."""
    state, notices, form = await current_table(request), context(request).notices, await read_form(request)
    if notices is None:
        raise Problem(404, "not-found")
    holder = state.sitter(tokens.acting_seat(request, state)).token_hash or ""
    context(request).rate_limiter.notices.enforce(client_address(request))
    code = f"{state.id[:4]} {state.id[4:]}"
    told = language_of(request).gettext(N_("Your turn at table %(code)s")) % {"code": code}
    link = urls.absolute(request, urls.table_page(state.id))
    try:
        await notices.keep(state.id, Kept(holder, form.get("address", "").strip(), f"{told}: {link}"))
    except BadAddress:
        raise Problem(400, "unparsable", why=N_("no notice can be sent to this address")) from None
    return RedirectResponse(urls.at(request, urls.table_page(state.id)), 303)


async def shared_screen(request: Request) -> Response:
    """A table on a television, with its code and without buttons."""
    state = await current_table(request)
    join_url = address_for_phones(request, urls.table_page(state.id))
    site = address_for_phones(request, "").partition("://")[2]
    return await _page(request, "watch.html", state, [], join_url=join_url, site=site)


async def invitation(request: Request) -> Response:
    """A sheet to print, with a QR code for phones and how to sit down."""
    state, is_lan = await current_table(request), context(request).options.lan is not None
    return await page(
        request,
        "invitation.html",
        table=state.id,
        is_lan=is_lan,
        join_url=address_for_phones(request, urls.table_page(state.id)),
        hello_url=address_for_phones(request, urls.HELLO),
    )


async def replay(request: Request) -> Response:
    """The replay of a finished game."""
    return await _looked_back(request, "replay.html")


async def review(request: Request) -> Response:
    """The review of a finished game."""
    return await _looked_back(request, "review.html")


async def illusion(request: Request) -> Response:
    """The greatest illusion of a game, to be guessed by visitors. The page has neither its share nor names; its script
    requests them after the guess."""
    state = await _over(request)
    shown = summary.worst_illusion if (summary := public_view(state).summary) else None
    if shown is None:
        raise Problem(404, "not-found")
    return await page(request, "illusion.html", table=state.id, card=shown.card, arrow=shown.arrow)


async def _looked_back(request: Request, template: str) -> Response:
    state = await _over(request)
    return await _page(request, template, state, held_seats(request, state))


async def _over(request: Request) -> Table:
    state = await current_table(request)
    if state.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    return state


async def _page(request: Request, template: str, state: Table, held: list[int], **values: Any) -> Response:
    now, reading = round(context(request).service.now(), 1), context(request).options.pace.reading_s
    waits = _waits(state, device_hashes(request, state.id))
    told: dict[str, Any] = {"view": public_view(state), "held": held, "waits": waits, "now": now, "reading": reading}
    return await page(request, template, **told, **values)


def address_for_phones(request: Request, path: str) -> str:
    """A page's URL for phones on the same network, if the server knows its address there."""
    lan, address = context(request).options.lan, URL(urls.absolute(request, path))
    if lan is not None and address.hostname in ("127.0.0.1", "localhost"):
        address = address.replace(hostname=lan)
    return str(address)


ROUTES = [
    Route(urls.TABLE_PAGE, table, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/seats", seats, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/notices", notify, methods=["POST"]),
    Route(urls.TABLE_PAGE + "/invitation", invitation, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/replay", replay, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/review", review, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/illusion", illusion, methods=["GET"]),
    Route("/watch/{table}", shared_screen, methods=["GET"]),
]
