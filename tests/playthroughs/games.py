"""Games of people. Where a stand-in moves it says so; nothing else depends on what bots take a picture for."""

from harness.playthroughs.people import Person, at_a_table, play, story
from harness.playthroughs.story import Story


@story()
def third_arrow(story: Story) -> None:
    """Two people meet by a link, each at a page of their own, and play until one has three arrows (R6.1).
    Somebody looks on by a program. Pictures, reactions, right and wrong doubts by people.
    """
    ana, bob = Person(story, "Ana", browser=True), Person(story, "Bob", browser=True)
    ana.submits("/invite", [("name", "Ana"), ("seats", "2"), ("variant", "first-to-three")])
    bob.table = ana.table
    bob.asks("GET", f"/table/{bob.table}")
    bob.submits(f"/table/{bob.table}/join", [("name", "Bob")])
    ana.opens_page()
    bob.opens_page()
    zoe = Person(story, "Zoe")
    zoe.table = ana.table
    story.opens_stream("Zoe", ana.table)
    ana.asks("POST", f"{ana.at}/start")
    for card in (*ana.view["row"], ana.view["next_card"]):
        zoe.asks("GET", f"/cards/{story.names.real(card)}.svg")
    play([ana, bob], 3)
    zoe.asks("GET", zoe.at)
    bob.asks("GET", bob.at)
    ana.reacts("oops")
    play([ana, bob], 1)
    bob.has_read()
    play([ana, bob], row=3)
    bob.reacts("wow")
    for what in ("replay", "believed"):
        zoe.asks("GET", f"{zoe.at}/{what}")
    ana.closes_page()
    ana.asks("GET", f"/table/{ana.table}")
    ana.asks("GET", f"/table/{ana.table}/replay")


@story()
def twelve_rounds_one_winner(story: Story) -> None:
    """Three programs play twelve rounds, and one of them has the most arrows (R6.2). There are two decks (R6.6)."""
    people = at_a_table(story, "Ana", "Bob", "Cleo", variant="twelve-rounds")
    people[0].starts()
    play(people, row=3)
    assert len(people[0].view["winners"]) == 1


@story()
def twelve_rounds_shared(story: Story) -> None:
    """Four play twelve rounds, and several of them have the most arrows (R6.3)."""
    people = at_a_table(story, "Ana", "Bob", "Cleo", "Dora", variant="twelve-rounds")
    people[0].starts()
    play(people, row=3, gap=-1)
    assert len(people[0].view["winners"]) > 1


@story()
def deck_used_up(story: Story) -> None:
    """Two people believe everything until the deck is empty: whoever's turn it is must doubt (R6.4), and the game ends
    there because no round can begin (R6.5).
    """
    ana, bob = at_a_table(story, "Ana", "Bob")
    ana.starts()
    ana.opens_page()
    play([ana, bob], 97, row=99, gap=-1)
    mover = (ana, bob)[ana.view["to_play"]]
    mover.places(0)
    mover.doubts()
    assert ana.view["over"]


@story()
def one_card_left(story: Story) -> None:
    """Five people with long rows: when one card is left, no round can begin, and the most arrows win (R6.5)."""
    people = at_a_table(story, "Ana", "Bob", "Cleo", "Dora", "Eva")
    people[0].starts()
    for cards in (20, 20, 20, 20):
        play(people, cards, row=cards, gap=1)
    play(people, row=people[0].view["cards_left"])
    assert people[0].view["cards_left"] == 1
    assert people[0].view["over"]


@story()
def table_closed(story: Story) -> None:
    """Two people begin and forget their table: after six hours it is closed, and can still be looked at.
    Another one is closed before anybody has begun; its guest had stood up.
    """
    ana, bob = at_a_table(story, "Ana", "Bob")
    cleo, dora = at_a_table(story, "Cleo", "Dora", seats=3)
    ana.starts()
    play([ana, bob], 2)
    dora.leaves()
    story.opens_stream("Zoe", ana.table, after=4)
    story.waits(6 * 3600, ana.table, cleo.table)
    ana.places(0)
    bob.leaves()
    ana.asks("POST", f"{ana.at}/reactions", {"reaction": "hm"})
    ana.asks("POST", f"{ana.at}/rematch")
    ana.asks("GET", f"{ana.at}/record")
    cleo.starts()
    dora.sits(cleo.table)
    ana.asks("GET", f"/table/{ana.table}")


@story()
def reconnects(story: Story) -> None:
    """Pages and streams go and come back: nothing is lost, and what was missed is told once. A page that missed a doubt
    is still told of it; one that missed nothing is told nothing. Then another server goes on with the same database.
    """
    ana, bob = at_a_table(story, "Ana", "Bob")
    ana.starts()
    ana.opens_page()
    bob.opens_page(after=0)
    stream = story.opens_stream("Zoe", ana.table)
    play([ana, bob], 2)
    seen = ana.view["seq"]
    ana.closes_page()
    story.closes(stream)
    ana.opens_page()
    play([ana, bob], 1)
    ana.closes_page()
    play([ana, bob], 3)
    ana.opens_page(after=seen)
    stream = story.opens_stream("Zoe", ana.table, after=seen)
    story.opens_stream("Yan", ana.table, after=10_000)
    for _ in range(2):  # at two pages of the same seat
        bob.page = None
        bob.opens_page()
    play([ana, bob], 2)
    for listener in list(story.tables[ana.table].listeners):
        story.closes(listener)
    ana.page = bob.page = None
    story.server_restarts()
    bob.opens_page(after=seen)
    story.opens_stream("Zoe", ana.table, after=seen)
    play([ana, bob])


@story()
def clock_runs_out(story: Story) -> None:
    """Three with twenty seconds a turn. Who lets the clock run out once is played for by a bot once; the next time
    they are away, until they move or look at the table again.
    """
    people = at_a_table(story, "Ana", "Bob", "Cleo", clock=20)
    ana = people[0]
    ana.starts()
    story.opens_stream("Zoe", ana.table)
    late = people[ana.view["to_play"]]
    others = [each for each in people if each is not late]
    late.opens_page()
    story.waits(20, ana.table)
    for other in others:
        other.places(0)
    story.waits(20, ana.table)
    play(others, 1)
    late.places(0, seq=late.view["seq"])
    late.comes_back()
    play(people, 4)
    play(people)


@story()
def away_and_back(story: Story) -> None:
    """People leave in the middle and come back; meanwhile a bot plays for them. When all have left, nothing moves."""
    ana, bob, cleo = at_a_table(story, "Ana", "Bob", "Cleo")
    ana.starts()
    ana.opens_page()
    play([ana, bob, cleo], 2)
    for each in (ana, bob, cleo):
        each.leaves()
    ana.leaves()
    bob.browser = True
    bob.cookies[f"seat-{bob.table}"] = bob.token
    bob.asks("GET", f"/table/{bob.table}")
    ana.comes_back()
    cleo.comes_back()
    cleo.comes_back()
    play([ana, bob, cleo])
    ana.leaves()


@story(lot=2)
def rematch(story: Story) -> None:
    """Two play for arrows that a wrong doubt can cost (R5.5), and play again at another table with the tokens that they
    have; both ask for it, and it is opened once. A third person cannot.
    """
    ana, bob = at_a_table(story, "Ana", "Bob", variant="twelve-rounds", clock=90)
    ana.asks("PUT", ana.at, {"variant": "first-to-three", "clock": 45, "penalty": "a song"})
    ana.asks("PUT", ana.at, {"variant": "first-to-three", "clock": 45, "penalty": "arrow"})
    ana.starts()
    ana.opens_page()
    ana.asks("POST", f"{ana.at}/rematch")
    play([ana, bob], row=2)
    Person(story, "Zoe").asks("POST", f"{ana.at}/rematch")
    bob.asks("POST", f"{bob.at}/rematch")
    ana.asks("POST", f"{ana.at}/rematch")
    ana.closes_page()
    ana.table = bob.table = list(story.tables)[1]
    ana.opens_page(after=0)
    bob.starts()
    ana.starts()
    play([ana, bob], row=3)


@story()
def late_comers(story: Story) -> None:
    """Who opens the link of a running table takes the seat of a bot, or waits for the next game. The host frees a seat,
    asks somebody to leave, locks the table; the rematch has a seat for everybody but for who was sent away.
    """
    ana, bob = at_a_table(story, "Ana", "Bob", seats=3)
    ana.asks("POST", f"{ana.at}/bots", {"level": "keen"})
    ana.starts()
    cleo, dora, eva = (Person(story, name) for name in ("Cleo", "Dora", "Eva"))
    for each in (cleo, dora, eva):
        each.table = ana.table
    (seat,) = ana.view["open_seats"]
    cleo.asks("POST", f"{ana.at}/seats", {"name": "Cleo"})  # which seat?
    cleo.asks("POST", f"{ana.at}/seats", {"name": "Cleo", "seat": seat})
    dora.asks("POST", f"{ana.at}/seats", {"name": "Dora", "seat": seat})
    dora.asks("POST", f"{ana.at}/waiting", {"name": "Dora"})
    eva.asks("POST", f"{ana.at}/waiting", {"name": "Eva"})
    people = {"Ana": ana, "Bob": bob, "Cleo": cleo}
    seats = [people[player["name"]] for player in ana.view["players"]]
    play(seats, 2)
    eva.asks("DELETE", f"{ana.at}/waiting/{ana.view['promised'][1]['number']}")
    for each, asks in ((cleo, "seats"), (bob, "people")):
        ana.asks("DELETE", f"{ana.at}/{asks}/{seats.index(each)}")
    cleo.comes_back()
    bob.comes_back()
    bob.asks("POST", f"{ana.at}/seats", {"name": "Bob", "seat": seats.index(bob)})
    eva.asks("POST", f"{ana.at}/seats", {"name": "Bob", "seat": seats.index(bob)})
    seats[seats.index(bob)] = eva
    eva.names = ["Bob 2"]
    ana.asks("PUT", f"{ana.at}/lock", {"locked": True})
    bob.asks("POST", f"{ana.at}/waiting", {"name": "Bob"})
    Person(story, "Bob's other browser").asks("POST", f"{ana.at}/waiting", {"name": "Bob"})
    play(seats, row=3)
    cleo.asks("POST", f"{ana.at}/rematch")
    bob.asks("POST", f"{ana.at}/rematch")
    ana.asks("POST", f"{ana.at}/rematch")


@story()
def one_device(story: Story) -> None:
    """Three people pass one device around, which holds all seats. They leave and come back together."""
    device = Person(story, "Ana", browser=True)
    device.names = ["Ana", "Bob", "Cleo"]
    names = [("name", name) for name in ("Ana", "Bob", "Cleo", "", "")]
    device.submits("/pass-and-play", [*names, ("variant", "first-to-three")])
    device.opens_page()
    play([device], 4)
    device.leaves()
    device.asks("GET", f"/table/{device.table}")
    device.asks("GET", device.at)
    device.reacts("ha")
    play([device], row=3)
    device.asks("POST", f"{device.at}/rematch")


@story()
def ways_in(story: Story) -> None:
    """All that a device asks of pages besides moves: a table's code typed in, a television, the language, settings,
    one's own eyes. Sentences of programs, too, are in the reader's language, and codes are not.
    """
    ana, bob = Person(story, "Ana", browser=True), Person(story, "Bob", browser=True, language="fr")
    ana.submits("/invite", [("name", " Ana  Maria "), ("seats", "2"), ("clock", "20")])
    typed = f" {ana.table[:4].upper()} {ana.table[4:]}"
    bob.submits("/join", [("code", "nowhere2"), ("name", "Bob")])
    bob.submits("/join", [("code", typed), ("name", "Bob")])
    bob.submits("/join", [("code", typed), ("name", "Bob")])  # sits there already
    for query in (f"code={ana.table}", f"code={ana.table}&screen=shared", "code=nowhere2"):
        bob.asks("GET", f"/watch?{query}")
    for fields in ({"language": "pl", "back": "/rules"}, {"language": "xx"}, {"language": "de", "back": "//elsewhere"}):
        bob.submits("/language", fields.items())
    bob.asks("POST", f"{bob.at}/start")
    for chosen in ({"palette": "texture", "theme": "dark"}, {"name": "Róża"}, {"palette": "gold"}, {}):
        bob.submits("/settings", chosen.items())
    for kept in ({"table": bob.table}, {"code": "no code"}, {"forget": "1"}, {}):
        bob.submits("/eyes", kept.items())
    bob.asks("GET", "/how-to-play")
    ana.asks("POST", f"{ana.at}/start")
    play([ana, bob], 1)
    ana.submits(f"/table/{ana.table}/join", [("name", "Ana")])
    Person(story, "Zoe", browser=True).submits(f"/table/{ana.table}/join", [("name", "Zoe")])
