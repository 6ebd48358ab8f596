"""Send many random requests to a real server: python -m tools.fuzz [COUNT [DESCRIBED [SEED]]]; prints their statuses.

DESCRIBED of them are made from the API's description (schemathesis), the others go through every door, and some
are frames on pages' sockets (Hypothesis).
"""

import sys
import tempfile
import time
from pathlib import Path

from harness.fuzzing import answered, by_description, by_nobody_in_particular, by_sockets
from harness.servers import Server


def main(wanted: int = 50_000, described: int | None = None, seed: int = 1) -> None:
    began = time.monotonic()
    described = wanted // 5 if described is None else described
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            while sum(answered(server).values()) < described:
                by_description(server, Path(folder), min(100, max(wanted // 1000, 5)), seed)
                seed += 1
            described = sum(answered(server).values())
            while (missing := wanted - sum(answered(server).values())) > 0:
                by_nobody_in_particular(server, min(missing, 1000), seed)
                by_sockets(server, min(missing, 100), seed)
                seed += 1
            counts = answered(server)
        finally:
            server.stop()
    broken = [line for line in server.said if '"level":"error"' in line]
    total, minutes = sum(counts.values()), (time.monotonic() - began) / 60
    kinds = ", ".join(f"{count:,} with {kind}xx" for kind, count in sorted(counts.items()))
    print(f"{total:,} requests ({described:,} by the description) in {minutes:.1f} minutes: {kinds}")
    if "5" in counts or broken:
        raise SystemExit("".join(broken[:10]) or "illusion: the server broke")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
