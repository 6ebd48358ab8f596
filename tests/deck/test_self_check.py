"""An installation that draws other pictures is noticed, and no server starts on it."""

import pytest

from illusion import cli
from illusion.deck import LATEST, PicturesDiffer, check_pictures, self_check


def test_this_installation_draws_the_recorded_pictures() -> None:
    check_pictures()


def test_a_picture_that_differs_is_named_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(self_check.HASHES[1], 60, "0" * 64)
    with pytest.raises(PicturesDiffer, match=r"\(cards 60 of deck 2018, generator 1\): shapely is 2"):
        check_pictures(1)


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["play", "--no-browser"]])
def test_no_server_starts_on_other_pictures(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    number = next(iter(self_check.HASHES[LATEST]))
    monkeypatch.setitem(self_check.HASHES[LATEST], number, "0" * 64)
    with pytest.raises(SystemExit, match=r"^illusion: this installation draws other pictures than recorded"):
        cli.main(command)
