"""Check pinned dependencies for known vulnerabilities: python tools/audit.py [--required]

Says so if no service can be reached, and with --required fails then.
"""

import json
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements.lock"
SERVICES = ("pypi", "osv")


def main() -> None:
    """Uses the first service that answers."""
    for service in SERVICES:
        command = [sys.executable, "-m", "pip_audit", "--requirement", str(LOCK), "--no-deps", "--disable-pip"]
        command += [
            "--vulnerability-service",
            service,
            "--format",
            "json",
            "--progress-spinner",
            "off",
            "--timeout",
            "15",
        ]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            asked = json.loads(ran.stdout)["dependencies"]
        except (ValueError, KeyError):
            continue
        known = [each for each in asked if "skip_reason" not in each]
        if not known:
            continue
        weak = [(each["name"], each["version"], flaw["id"]) for each in known for flaw in each["vulns"]]
        print(f"{len(known)} of {len(asked)} pinned dependencies are known to {service}, {len(weak)} weaknesses")
        for name, version, flaw in weak:
            print(f"  {name} {version}: {flaw}")
        raise SystemExit(1 if weak else 0)
    print("No service that knows of weaknesses can be reached from here: the dependencies were NOT checked.")
    raise SystemExit(1 if "--required" in sys.argv[1:] else 0)


if __name__ == "__main__":
    main()
