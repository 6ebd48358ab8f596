"""The table after a message to a page. Most bring nothing but that a card was laid, and pages work out the rest."""

from typing import Any


def view_after(view: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """As `placement.js` does it: a whole view is the table; what is known already changes nothing."""
    event = message["event"]
    if "view" in message:
        whole: dict[str, Any] = message["view"]
        return view | whole
    if event["seq"] <= view["seq"]:
        return view
    assert event["seq"] == view["seq"] + 1, "something was missed"
    (placed,) = event["happened"]
    row = _inserted(view["row"], placed["gap"], placed["card"])
    return view | {
        "seq": event["seq"],
        "row": row,
        "placed_by": _inserted(view["placed_by"], placed["gap"], placed["seat"]),
        "laid": _inserted(view["laid"], placed["gap"], len(view["row"])),
        "last_placed_by": placed["seat"],
        "next_card": placed["next_card"],
        "to_play": placed["to_play"],
        "turn_began": event["at"],
        "legal": {"gaps": list(range(len(row) + 1)) if placed["next_card"] else [], "doubt": True},
        "cards_left": view["cards_left"] - 1,
    }


def _inserted(items: list[Any], at: int, item: object) -> list[Any]:
    return [*items[:at], item, *items[at:]]
