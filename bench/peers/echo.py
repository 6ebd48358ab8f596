"""The limit for a Python server: uvicorn hands whatever comes over one of a table's WebSockets to all four."""

import asyncio
from collections import defaultdict
from typing import Any

import uvicorn

tables: dict[str, list[Any]] = defaultdict(list)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "websocket":
        return
    around = tables[scope["path"]]
    await receive()
    await send({"type": "websocket.accept"})
    around.append(send)
    while (message := await receive())["type"] == "websocket.receive":
        for each in around:
            await each({"type": "websocket.send", "text": message["text"]})
    around.remove(send)


async def main(server: uvicorn.Server) -> None:
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.02)
    print(f"echo at 127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", flush=True)
    await serving


if __name__ == "__main__":
    config = uvicorn.Config(app, port=0, log_level="warning", ws="websockets-sansio", ws_per_message_deflate=False)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(main(uvicorn.Server(config)))
