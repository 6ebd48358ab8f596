"""The waiting room is the invitation: code, sharing and QR code first; seats that can be filled; and how to play."""

from collections.abc import Callable

from harness.browser.chromium import PHONE, settle
from harness.browser.people import at_one_device, open_table, open_way, play_now
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from illusion.rules import Colour
from illusion.web.pictures import sample_deck

New = Callable[..., BrowserContext]
TELEVISION = ViewportSize(width=1920, height=1080)


def in_sight(page: Page, *parts: str) -> list[str]:
    """Of these parts, those that are whole on the first screen."""
    size = page.viewport_size
    assert size

    def is_whole(part: str) -> bool:
        box = page.locator(part).first.bounding_box()
        return box is not None and min(box["x"], box["y"]) >= 0 and box["y"] + box["height"] <= size["height"]

    return [part for part in parts if is_whole(part)]


def test_code_sharing_and_qr_code_are_on_a_phones_first_screen_and_the_name_is_asked_there(new_context: New) -> None:
    invitation = ("#invite .code b", "#invite .qr-box svg", "#invite [data-do=share]", ".chair")
    page = new_context(PHONE).new_page()
    open_way(page, "friends").locator("button").click()
    page.wait_for_url("**/table/*")
    expect(page.locator(".chair.me")).to_contain_text("Guest")
    assert in_sight(page, *invitation) == list(invitation)
    page.locator(".sit [name=name]").fill("Łukasz")
    page.locator(".sit button").click()
    expect(page.locator(".chair.me")).to_contain_text("Łukasz")
    expect(page.locator(".chair.me")).to_contain_text("host")
    expect(page.locator(".sit")).to_have_count(0)
    assert in_sight(page, *invitation, "#start") == [*invitation, "#start"]
    page.goto("/")
    expect(page.locator("#name")).to_have_value("Łukasz")


def test_a_free_seat_offers_to_share_and_the_host_a_bot_of_a_level(new_context: New) -> None:
    host, guest = new_context(PHONE).new_page(), new_context(PHONE).new_page()
    open_table(host)
    guest.goto(host.url)
    expect(guest.locator(".chair.free .fill").first).to_be_disabled()
    guest.locator("form.sit [name=name]").fill("Bob")
    guest.locator("form.sit button").click()
    guest.locator(".chair.free .fill").first.click()
    expect(guest.locator("#fill [data-do=share]")).to_be_visible()
    expect(guest.locator("#bot-levels")).to_be_hidden()
    host.locator("#arrange > summary").click()
    host.locator(".chair.free .fill").first.click()
    host.locator("[data-add-bot=sharp]").click()
    expect(host.locator("#fill")).to_be_hidden()
    expect(host.locator(".chair:not(.free)")).to_have_count(3)
    expect(host.locator(".chair").nth(2)).to_contain_text("bot, sharp")
    expect(host.locator("#arrange select").first).to_be_visible()  # what was opened stays open
    host.locator("#arrange [name=clock]").select_option("45")
    expect(guest.locator(".lead")).to_contain_text("45 seconds")


def test_how_to_play_shows_cards_as_the_rules_would_lay_them(new_context: New) -> None:
    page = new_context().new_page()
    open_table(page)
    pictures = page.locator(".how-to .pic")
    expect(pictures).to_have_count(3)
    shown: list[list[str]] = pictures.evaluate_all(
        "all => all.map((each) => [...each.querySelectorAll('img')].map((img) => img.src))"
    )
    shares = [[green(address) for address in row] for row in shown]
    assert shares[0] == sorted(shares[0])
    *row, laid = shares[1]
    assert row == sorted(row)
    assert row[1] < laid < row[2]
    told = [int(text.rstrip("%")) for text in pictures.nth(2).locator("b").all_inner_texts()]
    assert shares[2] == told
    assert told[0] < told[1] > told[2]


def green(address: str) -> int:
    """The share of green in a card of the public deck, from the address of its picture."""
    number = int(address.rsplit("/", 1)[1].split(".", maxsplit=1)[0])
    return sample_deck()[number - 1].shares[Colour.GREEN]


def test_the_television_says_which_game_waits_and_how_it_is_played(new_context: New) -> None:
    page = new_context(TELEVISION).new_page()
    open_table(page)
    page.goto(page.url.replace("/table/", "/watch/"))
    expect(page.locator(".chair")).to_have_count(4)
    settle(page)
    parts = (".poster b", ".poster .fan img", ".join .qr-box svg", ".join .code b", ".how-to li", ".chair:last-child")
    assert in_sight(page, *parts) == list(parts)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for button in page.locator(".fill").all():
        expect(button).to_be_disabled()


def test_reactions_are_answered_by_a_bot_and_not_offered_at_one_device(new_context: New) -> None:
    page = new_context().new_page()
    play_now(page)
    page.locator("main > .reactions [data-react=laugh]").click()
    expect(page.locator(".player.me .says")).to_have_count(1)
    expect(page.locator(".player:not(.me) .says")).to_have_count(1)
    at_one_device(page, "Ana", "Bob")
    expect(page.locator("#row")).to_be_visible()
    expect(page.locator(".reactions")).to_have_count(0)
