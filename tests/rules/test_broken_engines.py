"""Each law finds an engine that breaks it, in every run: the games tried are the same each time."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import Phase, given, settings

from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Culprit,
    Doubt,
    End,
    Event,
    Game,
    Legal,
    Move,
    Penalty,
    Place,
    RowDoubted,
    apply,
    legal,
    legal_moves,
    view,
)
from tests.rules import laws
from tests.rules.games import Apply, Play, playthroughs
from tests.rules.laws import LAWS, Engine, Law

Events = tuple[Event, ...]
After = tuple[Game, Events]


def altered(alter: Callable[[Game, Move, Game, Events], After]) -> Engine:
    """The rules, with another outcome of some moves; `alter` is given the state before, the move and what followed."""
    return Engine(apply=lambda game, move: alter(game, move, *apply(game, move)))


def after_doubts(alter: Callable[[Game, Game, Events], After]) -> Engine:
    return altered(
        lambda before, move, game, events: alter(before, game, events) if move == Doubt() else (game, events)
    )


def with_other_rules(end: End | None = None, penalty: Penalty | None = None) -> Apply:
    """Plays by another end or penalty than the game was set up with."""

    def applied(game: Game, move: Move) -> After:
        setup = replace(game.setup, end=end or game.setup.end, penalty=penalty or game.setup.penalty)
        after, events = apply(replace(game, setup=setup), move)
        return replace(after, setup=game.setup), events

    return applied


def doubter(before: Game) -> int:
    assert before.to_play is not None
    return before.to_play


def wrong(events: Events) -> bool:
    return isinstance(events[0], RowDoubted) and not events[0].falls


def given_to(game: Game, seat: int, *, lose: bool = False) -> Game:
    """The same game, but the seat has one red arrow more, or its last one less."""
    won = list(game.arrows_won)
    won[seat] = won[seat][:-1] if lose else (*won[seat], game.setup.arrows[0])
    return replace(game, arrows_won=tuple(won))


def another_taker(before: Game, game: Game, events: Events, taker: int) -> After:
    assert before.arrow is not None
    return game, (events[0], ArrowAwarded(taker, before.arrow), *events[2:])


def by_the_last_two_cards(before: Game, game: Game, events: Events) -> After:
    assert before.arrow is not None
    left, right = (card.shares[before.arrow] for card in before.row[-2:])
    taker = doubter(before) if left > right else (doubter(before) - 1) % before.players
    return another_taker(before, game, events, taker)


def equal_counts_as_a_fall(before: Game, game: Game, events: Events) -> After:
    shares = [card.shares[before.arrow] for card in before.row if before.arrow is not None]
    equals = len(set(shares)) < len(shares)
    return another_taker(before, game, events, doubter(before)) if equals and wrong(events) else (game, events)


def doubted_as(blame: Callable[[Game, RowDoubted], RowDoubted]) -> Engine:
    """The rules, but a wrong row is read in another way."""

    def alter(before: Game, game: Game, events: Events) -> After:
        doubted = events[0]
        assert isinstance(doubted, RowDoubted)
        return game, (blame(before, doubted) if doubted.falls else doubted, *events[1:])

    return after_doubts(alter)


def blamed(doubted: RowDoubted, at: int) -> RowDoubted:
    return replace(doubted, culprit=Culprit(at, doubted.row[at].placed_by or 0))


def clamped(game: Game, move: Move) -> After:
    return apply(game, Place(min(max(move.gap, 0), len(game.row))) if isinstance(move, Place) else move)


def forgetful() -> Engine:
    """It counts its moves and deals by that, so the same moves do not make the same game twice."""
    moves = count()
    return altered(lambda _, __, game, events: (replace(game, winners=(next(moves),)), events))


def without(kind: type, events: Events) -> Events:
    return tuple(event for event in events if not isinstance(event, kind))


def wrong_next_player(game: Game, events: Events) -> After:
    told = events[0]
    return game, (replace(told, to_play=told.seat),) if isinstance(told, CardPlaced) else events


BROKEN: dict[Law, dict[str, Engine]] = {
    laws.cards_are_conserved: {
        "a new round skips a card": after_doubts(
            lambda _, game, events: (replace(game, drawn=min(game.drawn + 1, len(game.setup.deck))), events)
        ),
        "the doubted row stays": after_doubts(
            lambda before, game, events: (replace(game, row=before.row, placed_by=before.placed_by), events)
        ),
        "nobody laid the card": altered(lambda _, __, game, events: (replace(game, placed_by=(None,)), events)),
    },
    laws.one_arrow_moves_a_round: {
        "a wrong doubt always costs an arrow": Engine(apply=with_other_rules(penalty=Penalty.ARROW)),
        "it is not announced": after_doubts(
            lambda before, game, events: (given_to(game, doubter(before), lose=wrong(events)), events)
        ),
        "a wrong doubt never costs an arrow": Engine(apply=with_other_rules(penalty=Penalty.NOTHING)),
        "the penalty goes to the player before": after_doubts(
            lambda before, game, events: (
                (given_to(game, (doubter(before) - 1) % game.players), events)
                if any(isinstance(event, ArrowReturned) for event in events)
                else (game, events)
            )
        ),
        "a wrong doubter takes an arrow, too": after_doubts(
            lambda before, game, events: (given_to(game, doubter(before)) if wrong(events) else game, events)
        ),
        "a right doubter gets nothing": after_doubts(
            lambda before, game, events: (
                (game if wrong(events) else replace(game, arrows_won=before.arrows_won)),
                events,
            )
        ),
    },
    laws.the_rounds_are_bounded: {
        "it goes on after the third arrow": Engine(apply=with_other_rules(End(arrows_to_win=4))),
        "the second arrow is enough": Engine(apply=with_other_rules(End(arrows_to_win=2))),
        "there are eleven rounds": Engine(apply=with_other_rules(End(rounds=11))),
        "only one player can win": altered(
            lambda _, __, game, events: (replace(game, winners=game.winners[:1]), events)
        ),
    },
    laws.legal_moves_and_apply_agree: {
        "a single card may be doubted": Engine(legal_moves=lambda game: (*legal_moves(game), Doubt())),
        "the far right is forgotten": Engine(legal_moves=lambda game: legal_moves(game)[:-1]),
        "a gap beyond the row is taken for its end": Engine(apply=clamped),
        "nothing can be doubted": Engine(legal=lambda game: Legal(legal(game).gaps, doubt=False)),
        "the view says otherwise": Engine(
            view=lambda game: replace(view(game), legal=Legal((), doubt=not legal(game).doubt))
        ),
    },
    laws.a_doubt_is_right_exactly_when_the_row_is_out_of_order: {
        "equal neighbours are a fall": after_doubts(equal_counts_as_a_fall),
        "only the last two cards count": after_doubts(by_the_last_two_cards),
        "the next player takes the arrow": after_doubts(
            lambda before, game, events: (
                another_taker(before, game, events, (doubter(before) + 1) % game.players)
                if wrong(events)
                else (game, events)
            )
        ),
        "the doubter always begins": after_doubts(
            lambda before, game, events: (replace(game, to_play=doubter(before)), events)
        ),
    },
    laws.one_card_broke_a_wrong_row: {
        "the card that falls is blamed": doubted_as(lambda _, doubted: blamed(doubted, doubted.falls[0])),
        "the last card laid is blamed": doubted_as(
            lambda before, doubted: blamed(doubted, before.row.index(before.as_laid[-1]))
        ),
        "the doubter is blamed": doubted_as(
            lambda _, doubted: replace(doubted, culprit=replace(doubted.culprit or Culprit(0, 0), seat=doubted.seat))
        ),
        "nobody is blamed": doubted_as(lambda _, doubted: replace(doubted, culprit=None)),
        "only the first fall is told": doubted_as(lambda _, doubted: replace(doubted, falls=doubted.falls[:1])),
    },
    laws.replaying_gives_the_same_game: {"it remembers earlier games": forgetful()},
    laws.the_events_tell_everything_the_view_shows: {
        "the wrong player is called": altered(lambda _, __, game, events: wrong_next_player(game, events)),
        "a returned arrow is not told": after_doubts(lambda _, game, events: (game, without(ArrowReturned, events))),
        "an arrow is not told": after_doubts(lambda _, game, events: (game, without(ArrowAwarded, events))),
        "the view hides the next card": Engine(view=lambda game: replace(view(game), next_card=None)),
        "the view shows another penalty": Engine(view=lambda game: replace(view(game), penalty=Penalty.NOTHING)),
    },
}


def test_every_law_has_been_broken() -> None:
    assert set(BROKEN) == set(LAWS)


@pytest.mark.parametrize(
    ("law", "engine"),
    [
        pytest.param(law, engine, id=f"{law.__name__}: {what}")
        for law, broken in BROKEN.items()
        for what, engine in broken.items()
    ],
)
def test_a_law_finds_an_engine_that_breaks_it(law: Law, engine: Engine) -> None:
    @settings(max_examples=100, derandomize=True, database=None, phases=[Phase.generate])
    @given(playthroughs())
    def in_every_game(play: Play) -> None:
        law(play, engine)

    with pytest.raises(AssertionError):
        in_every_game()
