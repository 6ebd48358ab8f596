"""Addresses that hold a number: a number that nothing has is a wrong address, however long it is."""

import re

import pytest
from harness.answers import problem_code
from harness.servers import Server, opened

from illusion.web import urls
from illusion.web.app import ROUTES

NUMBERED = sorted(
    (method, route.path)
    for route in ROUTES
    for method in (route.methods or set()) - {"HEAD"}
    if re.search(r"\{\w+:(?!path)\w+\}", route.path)
)


def ascii_start(number: str) -> str:
    return f"{number[:9]!a} of {len(number)}"


def test_there_are_such_addresses() -> None:
    assert {path for _, path in NUMBERED} == {
        urls.SAMPLE_PICTURE,
        "/api/tables/{table}/bots/{seat:number}",
        "/api/tables/{table}/saw/{seat:number}",
    }


@pytest.mark.parametrize(("method", "path"), NUMBERED)
@pytest.mark.parametrize(
    "number", ["9" * 5, "9" * 500, "9" * 5000, "0" * 5000 + "1", "-1", "1.0", "\uff11"], ids=ascii_start
)
def test_a_number_that_nothing_has_is_not_found(server: Server, method: str, path: str, number: str) -> None:
    host, _ = opened(server, 2)
    at = re.sub(r"\{\w+:\w+\}", number, path).replace("{table}", host.table)
    assert problem_code(host.client.request(method, at)) == (404, "not-found")


def test_a_number_that_something_has_is_found(server: Server) -> None:
    host, _ = opened(server, 3, bots=["keen"])
    assert host.client.get(urls.sample_picture(1)).status_code == 200
    assert host.client.delete(f"/api/tables/{host.table}/bots/1").status_code == 200
    assert problem_code(host.client.delete(f"/api/tables/{host.table}/bots/1")) == (409, "no-bot-there")
