"""A generator is frozen by the names of its families."""

import pytest

from illusion.deck import make_deck
from illusion.deck.families import FAMILIES
from illusion.deck.generators import GENERATORS, LATEST


@pytest.mark.parametrize("version", GENERATORS)
def test_every_family_of_a_generator_is_registered(version: int) -> None:
    families = GENERATORS[version].families
    assert set(families) <= set(FAMILIES)
    assert len(set(families)) == len(families) >= 18


def test_every_registered_family_is_drawn_by_some_generator() -> None:
    assert {name for generator in GENERATORS.values() for name in generator.families} == set(FAMILIES)


def test_no_family_is_registered_twice() -> None:
    assert len(set(FAMILIES.values())) == len(FAMILIES)


def test_a_newly_registered_family_does_not_change_a_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    before = make_deck(7, version=1)
    monkeypatch.setitem(FAMILIES, "a-new-family", FAMILIES["spiral"])
    assert make_deck(7, version=1) == before


def test_generators_are_numbered_from_1_and_the_last_is_the_default() -> None:
    assert list(GENERATORS) == list(range(1, LATEST + 1))
    assert make_deck(7).version == LATEST
