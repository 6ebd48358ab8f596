"""Names: 1 to 24 visible characters, cleaned of everything else, and distinct at one table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.tables import Refused
from illusion.tables.model.commands import clean_name, distinct_name, is_possible_name

BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Letters and signs without ink."""


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
        ("\u1100\u200b\u1161", "\uac00"),
        *((f"{blank}An{blank}a{blank}", "Ana") for blank in BLANK),
    ],
)
def test_names_are_cleaned(given_name: str, shown: str) -> None:
    assert clean_name(given_name) == shown


@pytest.mark.parametrize("bad", ["", "   ", "\u200b\u202e", "x" * 25, "\u0301\u0301", "\n\t", *BLANK, BLANK])
def test_what_is_no_name_is_refused(bad: str) -> None:
    with pytest.raises(Refused) as caught:
        clean_name(bad)
    assert caught.value.code == "bad-name"


@given(st.text(max_size=60) | st.text(min_size=22, max_size=24, alphabet="ab \u1100\u1161\u200b\u0301"))
def test_whatever_is_typed_becomes_a_clean_name_or_is_refused(typed: str) -> None:
    """What a log holds has to be a possible name, distinct or not: else an evening could not be read any more."""
    try:
        name = clean_name(typed)
    except Refused:
        return
    assert 1 <= len(name) <= 24
    assert name == name.strip() == clean_name(name)
    assert name.isprintable()
    for taken in ([], [name], [name, distinct_name(name, [name])]):
        assert is_possible_name(distinct_name(name, taken))


def test_two_of_one_name_are_told_apart() -> None:
    assert distinct_name("Ana", ["Bob"]) == "Ana"
    assert distinct_name("ana", ["Ana"]) == "ana 2"
    assert distinct_name("\uff21na", ["Ana"]) == "\uff21na 2"  # a wide A
    assert distinct_name("Ana", ["Ana", "Ana 2"]) == "Ana 3"
    assert distinct_name("x" * 24, ["x" * 24]) == "x" * 22 + " 2"
    assert distinct_name("x" * 21 + " yz", ["x" * 21 + " yz"]) == "x" * 21 + " 2"
