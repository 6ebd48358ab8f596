"""Names: 1 to 24 visible characters, cleaned, and told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.tables import Refused
from illusion.tables.model.player_names import cleaned, told_apart


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana  María ", "Ana María"),
        ("Zoe\u0308", "Zoë"),
        ("A\u200bn\u202ea", "Ana"),
        ("Ana\nBob", "Ana Bob"),
        ("Łukasz 🦉", "Łukasz 🦉"),
        ("x" * 24, "x" * 24),
    ],
)
def test_names_are_cleaned(given_name: str, shown: str) -> None:
    assert cleaned(given_name) == shown


@pytest.mark.parametrize("bad", ["", "   ", "\u200b\u202e", "x" * 25, "\u0301\u0301", "\n\t"])
def test_what_is_no_name_is_refused(bad: str) -> None:
    with pytest.raises(Refused) as caught:
        cleaned(bad)
    assert caught.value.code == "bad-name"


@given(st.text(max_size=60))
def test_whatever_is_typed_becomes_a_clean_name_or_is_refused(typed: str) -> None:
    try:
        name = cleaned(typed)
    except Refused:
        return
    assert 1 <= len(name) <= 24
    assert name == name.strip() == cleaned(name)
    assert name.isprintable()


def test_two_of_one_name_are_told_apart() -> None:
    assert told_apart("Ana", ["Bob"]) == "Ana"
    assert told_apart("ana", ["Ana"]) == "ana 2"
    assert told_apart("Ana", ["Ana", "Ana 2"]) == "Ana 3"
    assert told_apart("x" * 24, ["x" * 24]) == "x" * 22 + " 2"
