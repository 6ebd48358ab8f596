"""The API does what its description says, whatever is thrown at it: fuzzed by schemathesis from openapi.json."""

import subprocess
import sys
from pathlib import Path

from harness.servers import Server


def test_the_description_and_the_page_about_it_are_served(server: Server) -> None:
    with server.client() as client:
        described = client.get("/api/openapi.json").json()
        assert described["openapi"] == "3.1.0"
        for methods in described["paths"].values():
            assert all({"429", "503"} <= set(operation["responses"]) for operation in methods.values())
        page = client.get("/api/docs").text
    assert "POST /api/tables/{table}/moves" in page
    assert "http://" not in page
    assert "https://" not in page


def test_fuzzed_requests_get_documented_answers(server: Server, tmp_path: Path) -> None:
    """Statuses, content types and schemas as described, and never a server error; streams do not end, so not those."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/openapi.json"]
    command += ["--max-examples", "12", "--seed", "1", "--exclude-path-regex", "/events$", "--workers", "1"]
    command += [
        "--checks",
        "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
    ]
    command += ["--suppress-health-check", "all", "--no-color", "--request-timeout", "20"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
