"""The leak law at the wire: dealing anew what nobody has seen leaves every byte the same; and no secret is in them."""

import re

import msgspec
from harness.servers import Seat, Server, opened

from illusion.deck import make_pile
from illusion.rules import Variant
from illusion.tables.model.fair_deal import Secret


def everything(seat: Seat, pictures: dict[str, bytes]) -> bytes:
    """All that a client can get at this moment: the view, the events so far, the page, and every visible picture."""
    view = seat.view()
    for card in (*view["row"], view["next_card"]):
        if card is not None and card not in pictures:
            pictures[card] = seat.client.get(f"/cards/{card}.svg").content
    parts = [msgspec.json.encode(view), running_review(seat)]
    with seat.client.stream("GET", f"/api/tables/{seat.table}/events") as stream:
        for line in stream.iter_lines():
            parts.append(line.encode())
            if line.startswith("data: ") and msgspec.json.decode(line[6:])["seq"] == view["seq"]:
                break
    return b"\n".join([*parts, *pictures.values()])


def running_review(seat: Seat) -> bytes:
    """What looking back at a running game says: that it is not over, whatever has been played."""
    answer = seat.client.get(f"/api/tables/{seat.table}/review")
    assert (answer.status_code, answer.json()["code"]) == (409, "not-over")
    eyes = seat.client.post("/api/eyes", json={"seats": [[seat.table, 0]]})
    assert [left["why"] for left in eyes.json()["left_out"]] == ["not-over"]
    return answer.content + msgspec.json.encode(eyes.json()["left_out"])


def test_before_a_doubt_no_byte_tells_a_percentage_a_seed_or_a_later_card(server: Server) -> None:
    seats = opened(server, 4)
    seats[0].post("start")
    heard: list[tuple[bytes, bool]] = []
    seen: dict[str, bytes] = {}
    view = seats[0].view()
    while not view["over"]:
        heard.append((everything(seats[view["to_play"]], seen), view["last_doubt"] is None))
        seat = seats[view["to_play"]]
        answer = seat.doubt(view["seq"]) if len(view["row"]) > 3 else seat.place(0, view["seq"])
        assert answer.status_code == 200
        view = seats[0].view()

    secret = Secret(view["secret"]["seed"], view["secret"]["nonce"], view["secret"]["generator"])
    cards = make_pile(int(secret.seed, 16), Variant.FIRST_TO_THREE, secret.generator)
    pile = {secret.picture_token(card.number).hex(): card for card in cards}
    unseen = [token for token in pile if view["table"] + token not in seen]
    assert len(unseen) > 40
    for told, nobody_doubted_yet in heard:
        text = told.decode()
        assert secret.seed not in text
        assert secret.nonce not in text
        assert not any(token in text for token in unseen)
        assert not any(f'"{card.family}"' in text for card in pile.values())
        if nobody_doubted_yet:
            assert "shares" not in text
            assert not re.search(r"\d %|\d%", text)
    # A picture that nobody has seen is not to be had, though its address is known to us here.
    assert seats[0].client.get(f"/cards/{view['table']}{unseen[0]}.svg").status_code == 404
