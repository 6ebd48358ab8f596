"""Several people at one table: who still looks at a row that was turned over, and each reads in their own language.

A shared screen goes on with the last of them.
"""

import re
from collections.abc import Callable

from harness.browser.people import by_mouse, cards_in_row, invited, read_the_reveal
from harness.servers import Seat, Server, opened
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]


def test_it_is_said_who_still_looks_until_all_have_gone_on(new_context: New, server: Server) -> None:
    at_turn = long_row(server, 3)
    others = [seat for seat in seats_at(at_turn) if seat is not at_turn]
    names = [player["name"] for player in at_turn.view()["players"]]
    quick, slow = sit_at(new_context(), at_turn), sit_at(new_context(), others[0])
    screen = new_context(ViewportSize(width=1920, height=1080)).new_page()
    screen.goto(f"/watch/{at_turn.table}")
    expect(cards_in_row(screen)).to_have_count(3)
    at_turn.doubt(at_turn.view()["seq"])
    for page in (quick, slow, screen):
        expect(page.locator("#reveal[open]")).to_be_visible()
    read_the_reveal(quick)
    expect(quick.locator("#banner")).to_have_text(f"Still looking: {names[others[0].view()['you']]}")
    expect(slow.locator("#banner")).to_be_hidden()
    quick.wait_for_timeout(6500)  # longer than the screen shows three cards to nobody
    expect(screen.locator("#reveal[open]")).to_be_visible()
    read_the_reveal(slow)
    expect(quick.locator("#banner")).to_be_hidden()
    expect(screen.locator("#reveal")).to_be_hidden()


def test_what_bots_saw_is_of_the_row_on_the_screen_or_not_said(new_context: New, server: Server) -> None:
    """The server knows it of the last row that was turned over, which others may have done meanwhile."""
    people = begun_after_the_bot(server)
    host = next(iter(people.values()))
    page = sit_at(new_context(), host)

    def turn(act: str) -> None:
        view = host.view()
        at_turn, seq = people[view["to_play"]], view["seq"]
        assert (at_turn.doubt(seq) if act == "doubt" else at_turn.place(0, seq)).status_code == 200

    turn("place")
    turn("doubt")
    saw = page.get_by_role("button", name="What did the bots see?")
    saw.click()
    expect(page.locator("#reveal .saw")).to_have_count(2)
    saw.click()
    turn("place")
    turn("doubt")
    saw.click()
    expect(saw).to_be_hidden()
    assert page.locator("#reveal .saw").count() == 0


def begun_after_the_bot(server: Server) -> dict[int, Seat]:
    """Four people by their seats, which are drawn at the start; a bot sits just before whoever begins."""
    while True:
        seats = opened(server, 5, bots=["keen"])
        seats[0].post("start")
        people = {seat.view()["you"]: seat for seat in seats}
        if (seats[0].view()["to_play"] - 1) % 5 not in people:
            return people


def at_turn(pages: list[Page]) -> Page:
    return next(page for page in pages if page.locator(".gap:enabled").count())


def place(pages: list[Page]) -> None:
    """The player whose turn it is lays a card, and all pages show it."""
    before = cards_in_row(pages[0]).count()
    by_mouse(at_turn(pages), doubting=False)
    for page in pages:
        expect(cards_in_row(page)).to_have_count(before + 1)


def test_each_reads_their_own_language_which_is_switched_at_the_table_at_once_and_remembered(new_context: New) -> None:
    babcia, zoe = pages = invited([new_context(), new_context(locale="fr-FR")], ("Babcia", "Zoé"))
    table = babcia.url
    expect(babcia.locator("#doubt")).to_have_text("I don’t believe it")  # noqa: RUF001
    babcia.get_by_role("button", name="Language: English").click()
    babcia.get_by_role("button", name="Polski").click()
    expect(babcia.locator("#doubt")).to_have_text("Wątpię")
    assert babcia.url == table
    expect(babcia.locator("html")).to_have_attribute("lang", "pl")
    place(pages)  # the seat is still hers, and the stream speaks Polish now
    expect(zoe.locator("#doubt")).to_have_text("J’en doute")  # noqa: RUF001
    told = {
        babcia: (r"Dokładasz kartę i\szgadzasz się z\skolejnością", r"Od twojego ruchu:\s*Zoé\s*1"),
        zoe: ("Tu as posé une carte et penses que la série est juste", r"Depuis ton coup\s:\s*Babcia\s*1"),
    }
    for _ in range(2):  # each of them has laid one, and waits for the other
        for page, (placed, since) in told.items():
            expect(page.locator(".happened")).to_have_text(re.compile(since if page == at_turn(pages) else placed))
        place(pages)
    expect(babcia.locator(".facts")).to_contain_text("Zostało kart: 94")
    by_mouse(at_turn(pages), doubting=True)
    expect(babcia.locator("#reveal .verdict")).to_have_text(
        re.compile("wątpi(sz)? słusznie|nigdzie nie spada", re.IGNORECASE)
    )
    expect(zoe.locator("#reveal .verdict")).to_have_text(re.compile("a(s)? raison de douter|ne baisse jamais"))
    later = babcia.context.new_page()
    later.goto("/")
    expect(later.locator("h1")).to_have_text("Czy możesz uwierzyć swoim oczom?")


def test_the_switcher_works_by_keyboard(new_context: New) -> None:
    page = new_context().new_page()
    page.goto("/api/docs")
    page.get_by_role("button", name="Language: English").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Deutsch")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Deutsch")).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Deutsch")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url.endswith("/api/docs")
