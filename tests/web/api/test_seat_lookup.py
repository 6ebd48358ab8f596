"""A request acts for the seat that its token holds when the command is executed, not when the request arrived."""

import asyncio
from pathlib import Path

import httpx

from illusion.tables import SqliteStore
from illusion.web import AppOptions, Limits, create_app


async def test_who_leaves_while_the_cards_are_dealt_leaves_alone(tmp_path: Path) -> None:
    """Dealing seats the bots between the people, so a player's seat may have another number afterwards."""
    app = create_app(SqliteStore(tmp_path / "tables.db"), AppOptions(limits=Limits.lifted()))
    moved = 0
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://test") as client,
    ):
        for _ in range(12):
            opened = (await client.post("/api/tables", json={"name": "Ana", "seats": 5})).json()
            path = f"/api/tables/{opened['table']}"
            host = {"authorization": f"Bearer {opened['token']}"}
            client.cookies.clear()
            for level in ("keen", "keen"):
                await client.post(f"{path}/bots", json={"level": level}, headers=host)
            bob = (await client.post(f"{path}/seats", json={"name": "Bob"})).json()
            client.cookies.clear()
            answers = await asyncio.gather(
                client.post(f"{path}/start", headers=host),
                client.delete(f"{path}/seats/me", headers={"authorization": f"Bearer {bob['token']}"}),
            )
            assert [answer.status_code for answer in answers] == [200, 200]
            players = (await client.get(path)).json()["players"]
            assert {player["name"] for player in players if player["away"]} == {"Bob"}
            moved += next(player["seat"] for player in players if player["name"] == "Bob") != bob["seat"]
    assert moved
