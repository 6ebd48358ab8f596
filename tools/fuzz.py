"""Throw many odd requests at a real server: python tools/fuzz.py [COUNT]. Says how many were answered, and how."""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.web.fuzzing import answered, by_description, by_nobody_in_particular
from tests.web.servers import Server


def main(wanted: int) -> None:
    """Half by the API's description (schemathesis), half through every door (Hypothesis), until there are enough."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            number, described = 0, 0
            while sum(answered(server).values()) < wanted // 2:
                number += 1
                by_description(server, Path(folder), min(100, max(wanted // 1000, 5)), number)
            described = sum(answered(server).values())
            while (missing := wanted - sum(answered(server).values())) > 0:
                number += 1
                by_nobody_in_particular(server, min(missing, 1000), number)
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
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
