"""What is refused, and how: by the API, by a page's socket, by forms; and who asks for too much."""

from dataclasses import replace

from harness.playthroughs.people import Person, at_a_table, play, story
from harness.playthroughs.story import Story
from harness.playthroughs.transport import HOST

from illusion.web import Limits

NOBODY = "A" * 43
"""A token that nobody holds."""


@story()
def refused_moves(story: Story) -> None:
    """Every move that is refused, by a program and at a page; a game is played on beside it."""
    ana, bob = at_a_table(story, "Ana", "Bob")
    ana.doubts()
    ana.starts()
    mover, other = (ana, bob) if ana.view["to_play"] == 0 else (bob, ana)
    mover.doubts()  # nothing yet
    other.places(0)  # not their turn
    for each in (mover, other):
        each.opens_page()
        each.doubts()
        each.places(0, seq=3)
        each.places(0, seq=99)
        for gap in (2, -1, 10**20):
            each.places(gap)
        unparsable: list[object] = [
            {"move": "place", "seq": 4},
            {"move": "place", "seq": 4, "gap": "1"},
            {"move": "place", "seq": 4, "gap": 0.5},
            {"move": "place", "seq": "4", "gap": 0},
            {"move": "doubt", "seq": 4, "gap": 0},
            {"move": "pass", "seq": 4},
            {"move": "doubt"},
            {"seq": 4},
            {"move": "doubt", "seq": 4, "seat": 1},
            {},
            [],
            "",
            "{",
            "null",
            '{"move": "doubt", "seq": 4} and more',
            "[" * 2000,
        ]
        for body in unparsable:
            each.moves(body)
        each.closes_page()
        each.moves(b"\xff\xfe")
    wrong, nobody = Person(story, "Wrong"), Person(story, "Nobody")
    wrong.table = nobody.table = ana.table
    wrong.token = NOBODY
    for each in (wrong, nobody):
        each.places(0)
        each.opens_page()
        each.places(0)
        each.closes_page()
    play([ana, bob])
    ana.places(0)
    ana.doubts()
    ana.starts()


@story()
def refused_changes(story: Story) -> None:
    """Opening a table, sitting down, arranging, seating bots, starting, leaving, reacting, looking back: in vain."""
    ana = Person(story, "Ana")
    tables: list[object] = [
        {"name": "", "seats": 2},
        {"name": "\u202e\u200b", "seats": 2},
        {"name": "A" * 25, "seats": 2},
        {"name": "Ana", "seats": 1},
        {"name": "Ana", "seats": 6},
        {"name": "Ana", "seats": 2, "bots": ["keen", "keen"]},
        {"name": "Ana", "seats": 3, "bots": ["genius"]},
        {"name": "Ana", "seats": 2, "clock": 21},
        {"name": "Ana", "seats": 2, "variant": "risky"},
        {"name": "Ana", "seats": 2, "colour": "red"},
        {"name": "Ana"},
        {"name": 1, "seats": 2},
        "no JSON",
        b"\xff",
        None,
        {"name": "A" * 17_000, "seats": 2},
    ]
    for wanted in tables:
        ana.asks("POST", "/api/tables", wanted)
    ana.opens(3)
    ana.starts()
    bob, cleo, dora = (Person(story, name) for name in ("Bob", "Cleo", "Dora"))
    bob.sits(ana.table)
    changes: list[tuple[str, str, object]] = [
        ("PUT", "", {"variant": "twelve-rounds", "clock": None}),
        ("POST", "/bots", {"level": "keen"}),
        ("DELETE", "/bots/0", None),
        ("POST", "/start", None),
    ]
    for method, what, body in changes:
        bob.asks(method, f"{bob.at}{what}", body)
    wrong: list[tuple[str, str, object]] = [
        ("PUT", "", {"variant": "first-to-three", "clock": 5}),
        ("PUT", "", {"variant": "first-to-three"}),
        ("POST", "/bots", {"level": "genius"}),
        ("DELETE", "/bots/1", None),
        ("DELETE", "/bots/9", None),
        ("POST", "/reactions", {"reaction": "boo"}),
        ("POST", "/rematch", None),
    ]
    for method, what, body in wrong:
        ana.asks(method, f"{ana.at}{what}", body)
    ana.asks("PUT", ana.at, {"variant": "first-to-three", "clock": None})  # as it is
    cleo.sits(ana.table)
    dora.sits(ana.table)
    ana.asks("POST", f"{ana.at}/bots", {"level": "keen"})
    ana.starts()
    for method, what, body in changes:
        ana.asks(method, f"{ana.at}{what}", body)
    dora.sits(ana.table)
    for what in ("record", "replay", "saw/0", "review", "believed"):
        dora.asks("GET", f"{ana.at}/{what}")
    dora.asks("POST", "/api/eyes", {"seats": [[ana.table, 0], ["22222222", 0]]})
    dora.asks("POST", "/api/eyes", {"code": "no code"})
    dora.table = "nowhere2"
    for method, what in (("GET", ""), ("GET", "/events"), ("POST", "/start"), ("DELETE", "/seats/me")):
        dora.asks(method, f"{dora.at}{what}")
    dora.sits(dora.table)
    dora.table, dora.token = ana.table, NOBODY
    dora.leaves()
    dora.comes_back()
    dora.asks("POST", f"{dora.at}/reactions", {"reaction": "wow"})
    for method, path in (
        ("GET", "/nothing"),
        ("GET", "/api/nothing"),
        ("DELETE", ana.at),
        ("PATCH", f"{ana.at}/moves"),
        ("POST", "/rules"),
        ("HEAD", f"{ana.at}/events"),
        ("HEAD", "/"),
        ("GET", f"{ana.at}/saw/12345"),
        ("GET", f"/cards/{ana.table}{'z' * 32}.svg"),
        ("GET", f"/cards/nowhere2{'z' * 32}.svg"),
        ("GET", "/sample/99.svg"),
        ("GET", "/sample/1.svg?palette=gold"),
        ("GET", "/faces/genius/Ada.svg"),
        ("GET", "/static/0/nothing.js"),
    ):
        dora.asks(method, path)
    dora.asks("GET", f"{ana.at}", host="no host")
    play([ana, bob, cleo], 3)
    people = [ana, bob, cleo]
    for seat in (1, 2, 3):
        people[(ana.view["to_play"] + seat) % 3].leaves()


@story()
def foreign_sites(story: Story) -> None:
    """Another site may neither change anything nor open a page's socket, and cookies count only with our own origin."""
    ana, bob = at_a_table(story, "Ana", "Bob", browser=True)
    path, cookie = f"/table/{ana.table}/live", f"seat-{ana.table}={ana.token}"
    for origin in ("https://elsewhere.example", "null", f"https://{HOST}.elsewhere.example", "http://["):
        ana.asks("POST", f"{ana.at}/start", origin=origin)
        story.is_refused("Ana's page", path, {"origin": origin, "cookie": cookie})
    ana.asks("POST", "/invite", "name=Ana&seats=2", origin="https://elsewhere.example")
    program = Person(story, "A program")
    program.asks("POST", f"{ana.at}/start", cookie=cookie)
    program.asks("POST", f"{ana.at}/start", authorization=f"Bearer {ana.token}", cookie="seat-x=y")
    story.is_refused("Ana's page", f"{path}?after=x", {"origin": f"http://{HOST}", "cookie": cookie})
    story.is_refused("Ana's page", "/table/nowhere2/live", {"origin": f"http://{HOST}", "cookie": cookie})
    story.is_refused("Ana's page", "/table", {"origin": f"http://{HOST}"})
    story.is_refused("Zoe", "/api/tables/nowhere2/events", {}, socket=False)
    story.is_refused("Zoe", f"{ana.at}/events", {"last-event-id": "-1"}, socket=False)
    story.is_refused("Zoe", f"{ana.at}/events?after=123456789012", {}, socket=False)
    play([ana, bob], 2)
    first, last = (bob, ana) if ana.view["to_play"] == 0 else (ana, bob)
    first.leaves()
    last.leaves()


@story(limits=replace(Limits.lifted(), tables=2, unfinished=3, streams=3, misses=3))
def too_much(story: Story) -> None:
    """Who asks for too much is told to wait: reactions, tables, unfinished tables, streams, guesses at tables."""
    ana = Person(story, "Ana")
    ana.opens(2, bots=[])
    bob = Person(story, "Bob")
    bob.sits(ana.table)
    for who in (ana, bob, Person(story, "Zoe")):
        story.opens_stream(who.name, ana.table, headers=who.headers)
    story.is_refused("Ana", f"{ana.at}/events", ana.headers, socket=False)
    story.is_refused("Ana's page", f"/table/{ana.table}/live", ana.headers)
    for _ in range(10):
        ana.reacts("wow")
    for _ in range(2):
        Person(story, "Cleo").opens(2)
    story.time_passes(60)
    for _ in range(2):
        Person(story, "Cleo").opens(2)
    for number in range(5):
        Person(story, "Dora").asks("GET", f"/api/tables/nowhere{number + 2}")
    Person(story, "Dora").asks("GET", "/table/nowhere9")
