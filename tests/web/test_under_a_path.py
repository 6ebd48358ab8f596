"""Served under a path, as https://club.example/illusion/: all our addresses lead there, and no rude one is made."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest
from harness.asgi import Page, running_app
from harness.command_line import refusal
from harness.proxies import is_installed, running_proxy
from harness.servers import Server, opened, play_on
from starlette.applications import Starlette
from starlette.testclient import TestClient

from illusion.cli.serve import app_from
from illusion.tables import Pace, SqliteStore
from illusion.tables.worker import Where
from illusion.web import AppOptions, Limits, create_app
from illusion.web.pages.static import static_file
from illusion.web.serve import ForwardedPrefix

ROOT = "/illusion"
ADDRESS = re.compile(r'(?:href|src|action|formaction)="([^"]*)"')
RUDE = (
    "//evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    '/"><script>alert(1)</script>',
    "/a/../..",
    "/./a",
    "/a//b",
    "/a b",
    "/a;Domain=evil.example",
    "/a%0d%0aset-cookie:x=1",
    "/a\\b",
    "/é",
    "/" + "a" * 100,
    "illusion",
)


def app_at(folder: Path, root: str = "") -> Starlette:
    options = AppOptions(Pace(bot_s=1e6), Limits.lifted(), drawing=Where.THREAD, root_path=root)
    return create_app(SqliteStore(folder / "tables.db"), options)


@pytest.fixture(params=["path taken off", "path left on", "told by the server"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestClient]:
    """However the address in front of the game comes to it."""
    told, left = request.param == "told by the server", request.param != "path taken off"
    app, base = app_at(tmp_path, "" if told else ROOT), f"http://x{ROOT if left else ''}"
    with TestClient(
        app, base, root_path=ROOT if told else "", headers={"origin": "http://x"}, follow_redirects=False
    ) as sent:
        yield sent


def inside(address: str) -> str:
    """The path that a browser asks for, without what all of them must begin with."""
    assert address == ROOT or address.startswith(ROOT + "/"), address
    return address.removeprefix(ROOT) or "/"


def addresses(html: str) -> set[str]:
    found = {unescape(address) for address in ADDRESS.findall(html)}
    return {address.partition("#")[0] for address in found if not address.startswith("#")} - {""}


def table_of(client: TestClient, *, start: bool) -> str:
    made = client.post("/play-now" if start else "/invite", data={"name": "Ana"})
    assert made.status_code == 303
    return made.headers["location"].removeprefix(f"{ROOT}/table/")


def test_every_own_address_of_every_page_is_there(client: TestClient) -> None:
    waiting, playing = table_of(client, start=False), table_of(client, start=True)
    pages = ["/", "/rules", "/tutorial", "/eyes", "/hello", "/offline", "/api/docs", f"/?code={waiting}"]
    pages += [f"/table/{waiting}", f"/table/{waiting}/invitation", f"/watch/{waiting}", f"/table/{playing}"]
    found = set[str]()
    for path in [*pages, "/table/nonenone", "/none"]:
        answer = client.get(path)
        assert answer.headers["content-type"].startswith("text/html"), path
        found |= addresses(answer.text)
        assert path == "/hello" or f'data-root="{ROOT}"' in answer.text
    assert len(found) > 40
    for address in found:
        answer = client.get(inside(address), params={"code": waiting})
        assert answer.status_code in (200, 303, 405), address  # the last one is a form's


def test_there_is_nothing_at_the_root_that_is_not_ours(client: TestClient) -> None:
    assert client.get("/illusionist/rules").status_code == 404


def test_what_styles_name_is_found_from_where_they_are(client: TestClient) -> None:
    css = next(address for address in addresses(client.get("/").text) if address.endswith("every-page.css"))
    fonts = re.findall(r'url\("([^"]+)"\)', static_file("css/every-page.css").decode())
    assert len(fonts) == 2
    for font in fonts:
        answer = client.get(inside(urljoin(css, font)))
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]


def test_the_manifest_leads_to_the_path_wherever_it_is(client: TestClient) -> None:
    told, at = client.get("/manifest.webmanifest").json(), f"{ROOT}/manifest.webmanifest"
    assert urljoin(at, told["start_url"]) == urljoin(at, told["scope"]) == f"{ROOT}/"
    assert "id" not in told  # it is then the start's address; given, it would be seen from the site's root
    for icon in told["icons"]:
        assert client.get(inside(urljoin(at, icon["src"]))).status_code == 200


def test_the_worker_keeps_to_its_path(client: TestClient) -> None:
    source = client.get("/worker.js").text
    assert f'const ROOT = "{ROOT}";' in source
    parts = re.findall(r'"([^"]+)"', source.split("const PARTS = ")[1].split(";")[0])
    assert len(parts) > 4
    assert all(client.get(inside(part)).status_code == 200 for part in parts)


def test_links_for_others_and_the_apis_description_name_the_path(client: TestClient) -> None:
    made = client.post("/api/tables", json={"name": "Ana"}).json()
    assert made["url"] == f"http://x{ROOT}/table/{made['table']}"
    assert made["url"] in client.get(f"/table/{made['table']}/invitation").text
    assert client.get("/api/openapi.json").json()["servers"] == [{"url": ROOT}]
    assert f">x{ROOT}<" in client.get(f"/watch/{made['table']}").text


def test_redirects_stay_under_the_path(client: TestClient) -> None:
    table = table_of(client, start=False)
    answers = [
        client.get(f"/watch?code={table}"),
        client.get("/how-to-play"),
        client.post("/language", data={"language": "de", "back": f"{ROOT}/rules"}),
        client.post("/language", data={"language": "de", "back": "/elsewhere"}),
        client.post("/eyes", data={"forget": "all"}),
        client.get("/rules/"),
    ]
    led = [urljoin(f"http://x{ROOT}/", answer.headers["location"]).removeprefix("http://x") for answer in answers]
    assert led == [
        f"{ROOT}/table/{table}",
        f"{ROOT}/rules",
        f"{ROOT}/rules",
        f"{ROOT}/",
        f"{ROOT}/eyes",
        f"{ROOT}/rules",
    ]


def test_cookies_are_the_paths_own(tmp_path: Path) -> None:
    """Under TLS with the best name that a cookie of a path may have (RFC 6265bis 4.1.3)."""
    with TestClient(app_at(tmp_path, ROOT), "https://x", headers={"origin": "https://x"}) as client:
        client.follow_redirects = False
        made = client.post(f"{ROOT}/play-now", data={"name": "Ana"})
        table = made.headers["location"].rpartition("/")[2]
        sent = made.headers.get_list("set-cookie")
        assert len(sent) == 2
        assert all(f"Path={ROOT};" in cookie and "Secure" in cookie for cookie in sent)
        assert any(cookie.startswith(f"__Secure-seat-{table}=") for cookie in sent)
        assert f"/table/{table}" in client.get(f"{ROOT}/").text
        assert client.get(f"{ROOT}/api/tables/{table}").json()["you"] is not None
        assert client.get("/api/tables/" + table).json().get("you") is None  # outside of it, no cookie is sent


def test_without_a_slash_the_path_leads_to_the_home_page(tmp_path: Path) -> None:
    with TestClient(app_at(tmp_path, ROOT), "http://x", follow_redirects=False) as client:
        assert client.get(ROOT).headers["location"] == f"http://x{ROOT}/"


async def test_a_pages_socket_is_under_the_path(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (_, context):
        app = create_app(context.service.store, AppOptions(root_path=ROOT))
        app.state.context = context
        table, token = await context.service.open("Ana", 2)
        page = Page(app, table, [token])
        await page.opened()
        await page.hang_up()


@pytest.fixture
def trusting(tmp_path: Path) -> Iterator[TestClient]:
    trusted = ForwardedPrefix(app_at(tmp_path), ["192.0.2.0/24"])
    headers = {"origin": "http://x"}
    with TestClient(trusted, "http://x", headers=headers, client=("192.0.2.7", 1), follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize("rude", RUDE)
def test_a_rude_prefix_is_refused_and_nothing_of_it_is_said_again(trusting: TestClient, rude: str) -> None:
    headers = [(b"x-forwarded-prefix", rude.encode())]
    for answer in (
        trusting.get("/", headers=headers),
        trusting.get("/how-to-play", headers=headers),
        trusting.post("/play-now", headers=headers, data={"name": "Ana"}),
        trusting.get("/api/openapi.json", headers=headers),
    ):
        assert answer.status_code == 400
        assert not {"location", "set-cookie"} & answer.headers.keys()
        assert rude not in answer.text
        assert "data-root" not in answer.text


def test_two_prefixes_are_none(trusting: TestClient) -> None:
    headers = [("x-forwarded-prefix", "/a"), ("x-forwarded-prefix", "/b")]
    assert trusting.get("/", headers=headers).status_code == 400


@pytest.mark.parametrize(("told", "root"), [("/club", "/club"), ("/a/b-c_d.e~f/", "/a/b-c_d.e~f"), ("/", ""), ("", "")])
def test_a_trusted_proxys_prefix_is_where_the_game_is(trusting: TestClient, told: str, root: str) -> None:
    made = trusting.post("/play-now", headers={"x-forwarded-prefix": told}, data={"name": "Ana"})
    assert made.headers["location"].startswith(f"{root}/table/")
    assert f"Path={root or '/'};" in made.headers["set-cookie"]


def test_anybody_elses_prefix_is_not_read(tmp_path: Path) -> None:
    trusted = ForwardedPrefix(app_at(tmp_path), ["192.0.2.0/24"])
    with TestClient(trusted, "http://x", client=("198.51.100.1", 1)) as client:
        for told in ("/club", "//evil.example"):
            html = client.get("/", headers={"x-forwarded-prefix": told}).text
            assert "data-root" not in html
            assert 'href="/rules"' in html


@pytest.mark.parametrize("rude", ["//evil.example", "https://evil.example", "illusion", "/a b", "/..", "/" + "a" * 100])
def test_the_option_takes_a_path_alone(rude: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "a path such as /illusion" in refusal(capsys, "serve", "--root-path", rude)


def test_the_environment_says_it_to_any_server(tmp_path: Path) -> None:
    app = app_from({"ILLUSION_DATABASE": str(tmp_path / "t.db"), "ILLUSION_ROOT_PATH": f"{ROOT}/"})
    with TestClient(app, "http://x") as client:
        assert f'href="{ROOT}/rules"' in client.get(f"{ROOT}/").text


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_a_game_over_the_api_through_the_documented_proxy(proxy: str, tmp_path: Path) -> None:
    if not is_installed(proxy):
        pytest.skip(f"{proxy} or openssl is not installed")
    server = Server(tmp_path, "--trusted-proxy", "127.0.0.1")
    with running_proxy(proxy, tmp_path, [server.port], under_a_path=True) as through:
        seats = opened(through, 2)
        assert seats[0].post("start").status_code == 200
        assert play_on(seats)["over"]
        assert through.client().get("/metrics").status_code == 404
    assert server.stop() == 0
