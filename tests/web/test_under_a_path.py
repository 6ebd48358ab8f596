"""Served under a path, as https://club.example/illusion/: all our addresses lead there, and no rude one is made."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest
from harness.command_line import refusal
from starlette.testclient import TestClient

from illusion.cli.serve import app_from
from illusion.web.pages.static import static_file
from illusion.web.serve import ForwardedPrefix

Serve = Callable[..., TestClient]
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


@pytest.fixture(params=["path taken off", "path left on", "told by the server"])
def client(request: pytest.FixtureRequest, serve: Serve) -> Iterator[TestClient]:
    """However the address in front of the game comes to it."""
    told, left = request.param == "told by the server", request.param != "path taken off"
    app = serve(root_path="" if told else ROOT).app
    base, root = f"http://x{ROOT if left else ''}", ROOT if told else ""
    with TestClient(app, base, root_path=root, headers={"origin": "http://x"}, follow_redirects=False) as sent:
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
    evening = client.post("/evening", data={"name": "Tuesday"}).headers["location"].removeprefix(ROOT)
    pages += ["/evening", evening, f"{evening}/wall"]
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
    assert client.get("/illusionist/rules").status_code == 404  # not ours


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


def test_cookies_and_a_pages_socket_are_the_paths_own(serve: Serve) -> None:
    """Under TLS with the best name that a cookie of a path may have (RFC 6265bis 4.1.3)."""
    with serve("https://x", root_path=ROOT) as client:
        client.follow_redirects = False
        assert client.get(ROOT).headers["location"] == f"https://x{ROOT}/"
        made = client.post(f"{ROOT}/play-now", data={"name": "Ana"})
        table = made.headers["location"].rpartition("/")[2]
        sent = made.headers.get_list("set-cookie")
        assert len(sent) == 2
        assert all(f"Path={ROOT};" in cookie and "Secure" in cookie for cookie in sent)
        assert any(cookie.startswith(f"__Secure-seat-{table}=") for cookie in sent)
        assert f"/table/{table}" in client.get(f"{ROOT}/").text
        assert client.get(f"{ROOT}/api/tables/{table}").json()["you"] is not None
        assert client.get("/api/tables/" + table).json().get("you") is None  # outside of it, no cookie is sent
        with client.websocket_connect(f"wss://x{ROOT}/table/{table}/live?after=0") as page:
            assert "event" in page.receive_json()


@pytest.fixture
def trusting(serve: Serve) -> Iterator[TestClient]:
    trusted = ForwardedPrefix(serve().app, ["192.0.2.0/24"])
    headers = {"origin": "http://x"}
    with TestClient(trusted, "http://x", headers=headers, client=("192.0.2.7", 1), follow_redirects=False) as client:
        yield client


def test_a_rude_prefix_is_refused_and_nothing_of_it_is_said_again(trusting: TestClient) -> None:
    """Nor is one of two believed."""
    for rude in RUDE:
        headers = [(b"x-forwarded-prefix", rude.encode())]
        for answer in (
            trusting.get("/", headers=headers),
            trusting.get("/how-to-play", headers=headers),
            trusting.post("/play-now", headers=headers, data={"name": "Ana"}),
            trusting.get("/api/openapi.json", headers=headers),
        ):
            assert answer.status_code == 400, rude
            assert not {"location", "set-cookie"} & answer.headers.keys()
            assert rude not in answer.text
            assert "data-root" not in answer.text
    two = [("x-forwarded-prefix", "/a"), ("x-forwarded-prefix", "/b")]
    assert trusting.get("/", headers=two).status_code == 400


@pytest.mark.parametrize(("told", "root"), [("/club", "/club"), ("/a/b-c_d.e~f/", "/a/b-c_d.e~f"), ("/", ""), ("", "")])
def test_a_trusted_proxys_prefix_is_where_the_game_is(trusting: TestClient, told: str, root: str) -> None:
    made = trusting.post("/play-now", headers={"x-forwarded-prefix": told}, data={"name": "Ana"})
    assert made.headers["location"].startswith(f"{root}/table/")
    assert f"Path={root or '/'};" in made.headers["set-cookie"]


def test_anybody_elses_prefix_is_not_read(serve: Serve) -> None:
    with TestClient(ForwardedPrefix(serve().app, ["192.0.2.0/24"]), client=("198.51.100.1", 1)) as client:
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
