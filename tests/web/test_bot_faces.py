"""Faces of the bots over the wire."""

import pytest
from harness.servers import Server

from illusion.bots import CHARACTERS, LEVEL_NAMES, face_svg
from illusion.bots.characters import named


def test_every_character_has_a_face_that_browsers_keep(server: Server) -> None:
    with server.client() as client:
        for character in CHARACTERS:
            answer = client.get(f"/faces/{character.level}/{character.name}.svg")
            assert answer.status_code == 200
            assert answer.text == face_svg(character)
            assert answer.headers["content-type"].startswith("image/svg+xml")
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize("name", ["Pip 2", "Łukasz 🦉", "<script>", "{skin}", "Iris", "x" * 24])
def test_a_name_without_a_portrait_gets_a_generated_face_of_its_level(server: Server, name: str) -> None:
    with server.client() as client:
        for level in LEVEL_NAMES:
            answer = client.get(f"/faces/{level}/{name}.svg")
            assert answer.status_code == 200
            assert answer.text == face_svg(named(name, level))
            assert name not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/faces/genius/Pip.svg",
        "/faces/keen/Iris.png",
        "/faces/keen",
        "/faces/keen/a/b.svg",
        f"/faces/keen/{'x' * 25}.svg",
    ],
)
def test_other_addresses_are_not_found(server: Server, path: str) -> None:
    with server.client() as client:
        answer = client.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    assert answer.headers["content-type"] == "application/problem+json"
