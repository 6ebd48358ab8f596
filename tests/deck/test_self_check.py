"""An installation that draws other pictures is noticed, and no server starts on it."""

from pathlib import Path

import pytest

from illusion import cli
from illusion.deck import LATEST, PicturesDiffer, check_pictures, self_check
from illusion.deck.generators import GENERATORS


def test_this_installation_draws_the_recorded_pictures() -> None:
    check_pictures()
    for generator in GENERATORS:
        assert len(self_check.HASHES[generator]) >= 5
        check_pictures(generator)


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


def test_a_deck_whose_pictures_cannot_be_had_exactly_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(self_check.HASHES[1], 21, "0" * 64)
    command = ["deck", "--seed", "7", "--out", str(tmp_path / "deck")]
    with pytest.raises(SystemExit, match=r"^illusion: this installation draws other .* install shapely>=2\.2,<2\.3$"):
        cli.main([*command, "--generator", "1"])
    assert not (tmp_path / "deck").exists()
    cli.main(command)  # the latest generator needs no shapely
    assert len(list((tmp_path / "deck").glob("front-*.svg"))) == 98


def test_with_another_shapely_a_server_starts_and_its_log_tells_of_old_games(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(self_check, "version", lambda _package: "2.9.1")
    check_pictures()
    assert not caplog.messages  # its GEOS draws the same
    monkeypatch.setitem(self_check.HASHES[1], 21, "0" * 64)
    check_pictures()
    (said,) = caplog.messages
    assert said.startswith(
        "games dealt by generator 1 show other pictures than they had: this installation draws other"
    )
    assert "shapely is 2.9.1" in said
