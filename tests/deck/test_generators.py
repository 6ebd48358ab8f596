"""A generator is frozen by the names of its families."""

import pytest

from illusion.deck import make_deck
from illusion.deck.families import FAMILIES
from illusion.deck.generators import GENERATORS, LATEST
from illusion.deck.mosaics import MOSAICS


@pytest.mark.parametrize("version", GENERATORS)
def test_every_family_of_a_generator_is_registered(version: int) -> None:
    families = GENERATORS[version].families
    assert set(families) <= set(FAMILIES if version == 1 else MOSAICS)
    assert len(set(families)) == len(families) >= 18


def test_every_registered_family_is_drawn_by_some_generator() -> None:
    assert set(GENERATORS[1].families) == set(FAMILIES)
    assert {name for version in GENERATORS if version > 1 for name in GENERATORS[version].families} == set(MOSAICS)


def test_no_family_is_registered_twice() -> None:
    assert len(set(FAMILIES.values())) == len(FAMILIES)
    assert len(set(MOSAICS.values())) == len(MOSAICS)


@pytest.mark.parametrize("version", GENERATORS)
def test_a_newly_registered_family_does_not_change_a_generator(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = make_deck(7, version)
    monkeypatch.setitem(FAMILIES, "a-new-family", FAMILIES["spiral"])
    monkeypatch.setitem(MOSAICS, "a-new-family", MOSAICS["spiral"])
    assert make_deck(7, version) == before


def test_generators_are_numbered_from_1_and_the_last_is_the_default() -> None:
    assert list(GENERATORS) == list(range(1, LATEST + 1))
    assert make_deck(7).version == LATEST
