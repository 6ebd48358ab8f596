"""Games with bots. What they do depends on their eyes and on the figures that their minds were fitted with: when those
are fitted anew, these recordings change as a whole, and no other does but for stand-ins' moves.
"""

from harness.playthroughs.people import Person, at_a_table, play, story
from harness.playthroughs.story import Story


@story()
def program_against_bots(story: Story) -> None:
    """A program sits down with bots of three levels and hears all they do from an event stream. Afterwards it looks
    back: what a bot saw, the replay, how the game went, and what its own eyes are like.
    """
    ana = Person(story, "Ana")
    ana.opens(4, bots=["keen", "casual", "first-timer"])
    story.opens_stream("Ana", ana.table, headers=ana.headers)
    ana.starts()
    play([ana], 3)
    ana.asks("GET", f"{ana.at}/believed")
    play([ana])
    seats = {each["level"]: each["seat"] for each in ana.view["players"]}
    for seat in (seats["keen"], seats[None], 9):
        ana.asks("GET", f"{ana.at}/saw/{seat}")
    ana.asks("GET", f"{ana.at}/replay")
    ana.waits_for("GET", f"{ana.at}/review")
    held = [[ana.table, seats[None]], [ana.table, seats["keen"]], ["22222222", 0]]
    ana.waits_for("POST", "/api/eyes", {"seats": held})


@story()
def play_now(story: Story) -> None:
    """One click: a guest at a page against three bots, dealt at once, in German. Then again with the same bots."""
    guest = Person(story, "Gast", browser=True, language="de")
    guest.submits("/play-now", [("name", "")])
    guest.opens_page()
    guest.places(0, seq=1)
    play([guest], row=5, gap=-1)
    guest.asks("GET", "/")
    again = guest.asks("POST", f"{guest.at}/rematch")
    guest.closes_page()
    guest.table = list(story.tables)[1]
    guest.asks("POST", f"{guest.at}/rematch")
    assert again.status == 200
    guest.leaves()
    guest.opens_page(after=2)
    play([guest], 2)


@story()
def two_people_and_bots(story: Story) -> None:
    """Five chairs: a host at a page seats bots of each level and takes one away; two guests of one name come, and one
    goes before the start. Twelve rounds. The host leaves in the middle, a bot plays for them, and they come back.
    """
    ana, bob = at_a_table(story, "Ana", "Bob", browser=True, seats=5)
    other = Person(story, "Bob")
    other.sits(ana.table)
    ana.opens_page()
    bob.opens_page()
    ana.asks("PUT", ana.at, {"variant": "twelve-rounds", "clock": 90})
    for level in ("sharp", "casual"):
        ana.asks("POST", f"{ana.at}/bots", {"level": level})
    other.leaves()
    ana.asks("DELETE", f"{ana.at}/bots/3")
    for level in ("first-timer", "keen"):
        ana.asks("POST", f"{ana.at}/bots", {"level": level})
    ana.starts()
    play([ana, bob], 6, row=5, gap=1)
    ana.leaves()
    play([bob], 6, row=5)
    ana.closes_page()
    ana.opens_page()
    play([ana, bob], row=6, gap=-1)
    bob.asks("GET", f"{bob.at}/believed")


@story()
def stand_ins(story: Story) -> None:
    """Three people begin; one leaves and never comes back, and a stand-in plays on for them until the game is over."""
    ana, bob, cleo = at_a_table(story, "Ana", "Bob", "Cleo")
    ana.starts()
    play([ana, bob, cleo], 4)
    cleo.leaves()
    play([ana, bob], row=5)
    cleo.asks("GET", cleo.at)
    ana.asks("POST", f"{ana.at}/rematch")
