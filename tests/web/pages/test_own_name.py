"""The name that a device used last is offered again, and no more of the cookie than a name can be."""

from urllib.parse import quote

import pytest
from harness.servers import Server


@pytest.mark.parametrize(
    ("kept", "offered"),
    [(quote("Ana"), "Ana"), (quote("🦉" * 24), "🦉" * 24), ("x" * 9000, "x" * 24), (quote("🦉" * 500), "🦉" * 24)],
)
def test_the_name_used_last_is_offered(server: Server, kept: str, offered: str) -> None:
    page = server.client().get("/", headers={"cookie": f"name={kept}"}).text
    assert f'value="{offered}"' in page
