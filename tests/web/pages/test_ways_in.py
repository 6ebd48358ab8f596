"""Home leads back to a game that goes on, and the page of a full table says that it is full."""

from harness.servers import Server, opened


def test_home_leads_back_to_the_tables_where_one_sits(server: Server) -> None:
    seats = opened(server)
    table = seats[0].table
    with server.client() as client:
        assert table not in client.get("/").text
        client.cookies.set(f"seat-{table}", seats[0].token)
        seats[0].post("start")
        home = client.get("/").text
    assert f'href="/table/{table}"' in home
    assert f"Back to your table {table[:4]} {table[4:]}" in home


def test_somebody_who_comes_to_a_full_table_is_told_so_and_can_watch(server: Server) -> None:
    seats = opened(server)
    with server.client() as client:
        page = client.get(f"/table/{seats[0].table}").text
    assert "All seats at this table are taken." in page
    assert "You can watch the game here." in page
    assert 'class="panel sit"' not in page
