"""The code that holds somebody's seats: the same seats, the same code; nothing counts twice; mistakes are noticed."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.tables.eyes import MAX_SEATS, HeldSeat, InvalidCode, read_seats_code, seats_code
from illusion.tables.model.commands import new_id
from illusion.tables.model.entries import ID_ALPHABET

ids = st.text(ID_ALPHABET, min_size=8, max_size=8)
some = st.lists(st.builds(HeldSeat, ids, st.integers(0, 4)), max_size=20)


@given(some, some)
def test_codes_merge_without_counting_twice(here: list[HeldSeat], there: list[HeldSeat]) -> None:
    one, other = seats_code(here), seats_code(there)
    assert read_seats_code(one) == sorted(set(here))
    merged = seats_code([*read_seats_code(one), *read_seats_code(other)])
    assert merged == seats_code([*there, *here])
    assert seats_code([*read_seats_code(merged), *read_seats_code(one)]) == merged
    spaced = " ".join(one[at : at + 5] for at in range(0, len(one), 5)).upper() + "\n"
    assert read_seats_code(spaced) == read_seats_code(one)


def test_one_wrong_character_is_noticed() -> None:
    code = seats_code([HeldSeat("abcdefgh", 0), HeldSeat("23456789", 4)])
    for at, wrong in product(range(len(code)), "2z"):
        if code[at] != wrong:
            with pytest.raises(InvalidCode):
                read_seats_code(code[:at] + wrong + code[at + 1 :])


@pytest.mark.parametrize("bad", ["", "e1", "hello", "e1" * 5000, "e2" + "2" * 13, "ä" * 10, "\x00", "e1abcdefgh2"])
def test_what_is_no_code_is_refused(bad: str) -> None:
    with pytest.raises(InvalidCode):
        read_seats_code(bad)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        seats = read_seats_code(text)
    except InvalidCode:
        return
    assert seats_code(seats) == "".join(text.split()).lower()


def test_seats_that_cannot_be_have_no_code() -> None:
    for held in (HeldSeat("abcdefg", 0), HeldSeat("abcdefg0", 0), HeldSeat("abcdefgh", 5), HeldSeat("abcdefgh", -1)):
        with pytest.raises(InvalidCode):
            seats_code([held])
    many = [HeldSeat(new_id(), 0) for _ in range(MAX_SEATS + 1)]
    with pytest.raises(InvalidCode):
        seats_code(many)
    assert len(seats_code(many[1:])) < 4000
