"""Many visitors who press `Play now` within a second, each from another address: programs that load like browsers.

A visitor looks at the home page and loads all it names. Then it presses, follows to the table, and loads what is new
there over at most six connections, in the order of the page; its page connects to the table as well.
"""

import asyncio
import gzip
import re
from time import perf_counter
from urllib.parse import urlencode

from bench.load.evening.drive import LANGUAGES
from bench.load.lines import Answer, Lines, request
from bench.load.page import CONNECTIONS, COOKIE, LOCATION, ORIGIN, Events, Page, Shown
from bench.load.wire import loopback_address

ASSET = re.compile(r'(?:href|src)="(/(?:static|cards|faces|sample)/[^"]+)"')
NEXT = re.compile(r'data-next="([^"]+)"|"next_card":"([^"]+)"')


def named(html: str) -> list[str]:
    """The files that a page names, each once, in its order."""
    return list(dict.fromkeys(ASSET.findall(html)))


class Visitor(Events):
    """One person on their first visit."""

    def __init__(self, port: int, number: int) -> None:
        self.port = port
        self.number = number
        self.lines = Lines(port, loopback_address(number), CONNECTIONS)
        self.headers = {"accept-language": LANGUAGES[number % len(LANGUAGES)], "accept-encoding": "gzip"}
        self.cache: set[str] = set()
        self.page: Page | None = None
        self.errors: list[str] = []

    async def come(self) -> None:
        await asyncio.gather(*map(self._load, named(await self._read("/"))))

    async def play_now(self) -> float:
        """Milliseconds until styles, scripts and the picture of the next card are there."""
        began = perf_counter()
        form = {**self.headers, "origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"}
        sent = await self.lines.answer(request("POST", "/play-now", form, urlencode({"name": ""}).encode()))
        seat, location = COOKIE.search(sent.head), LOCATION.search(sent.head)
        assert seat, sent
        assert location, sent
        self.headers["cookie"] = seat.group(1).decode()
        table = location.group(1).decode()
        html = await self._read(table)
        following = NEXT.search(html)
        assert following, html[:300]
        picture = f"/cards/{following.group(1) or following.group(2)}.svg"
        loading = {path: asyncio.ensure_future(self._load(path)) for path in (*named(html), picture)}
        await asyncio.gather(
            *(load for path, load in loading.items() if path == picture or path.startswith("/static/"))
        )
        took = (perf_counter() - began) * 1000
        await asyncio.gather(*loading.values())
        await self._follow(table)
        return took

    async def _follow(self, table: str) -> None:
        self.page = Page(self.port, self.headers["accept-language"], self, address=loopback_address(self.number))
        self.page.headers["cookie"] = self.headers["cookie"]
        self.page.table = table.rpartition("/")[2]
        await self.page.connect()

    async def _read(self, path: str) -> str:
        answer = await self._load(path)
        assert answer is not None
        content = gzip.decompress(answer.content) if b"content-encoding: gzip" in answer.head else answer.content
        return content.decode()

    async def _load(self, path: str) -> Answer | None:
        """Unless it was loaded before; all but pages may be kept."""
        if path in self.cache:
            return None
        self.cache.add(path)
        answer = await self.lines.answer(request("GET", path, self.headers))
        if answer.status != 200:
            self.errors.append(f"{path} {answer.status}")
        return answer

    def shows(self, shown: Shown) -> None:
        pass

    def pictured(self, card: str) -> None:
        pass

    def trouble(self, what: str) -> None:
        self.errors.append(what)

    def leave(self) -> None:
        self.lines.close()
        if self.page is not None:
            self.page.close()


async def crowd(port: int, people: int, within_s: float = 1.0) -> tuple[list[float], list[str]]:
    """The milliseconds of each, and what went wrong."""
    visitors = [Visitor(port, number) for number in range(people)]
    for visitor in visitors:
        await visitor.come()

    async def one(visitor: Visitor) -> float:
        await asyncio.sleep(within_s * visitor.number / people)
        return await visitor.play_now()

    try:
        took = await asyncio.gather(*map(one, visitors))
    finally:
        for visitor in visitors:
            visitor.leave()
    return took, [error for visitor in visitors for error in visitor.errors]
