"""Install Illusion with the lowest or the newest allowed versions of its dependencies, and use it.

    python tools/setup/resolutions.py lowest|newest

Needs uv (in the extra `maintain`) and the package index. The lowest versions are tried on the lowest Python that is
supported, because old versions have no wheels for newer ones.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
LOWEST_PYTHON = "3.11"
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
FOR_CONTRIBUTORS = {"docs", "maintain", "test"}
ENVIRONMENT_STEPS = """
from pathlib import Path
import apprise, asyncpg, distributed, openskill
from illusion.lab import env
game = env(players=3, eyes=["keen", "keen", "casual"], decks=[0], folder=Path("measured"))
game.reset(seed=7)
for agent in game.agent_iter():
    seen, _, terminated, truncated, _ = game.last()
    over = terminated or truncated
    game.step(None if over else game.action_space(agent).sample(seen["action_mask"]))
print("played a game in the training environment")
from illusion.lab.arrays import array_game, deal, play_randomly
games = array_game(3, decks=[0], folder=Path("measured"))
print(f"played {play_randomly(games, deal(games, 1, 100), 100)[1]} games at once")
"""


def uv(*arguments: str) -> None:
    command = [sys.executable, "-m", "uv", *arguments]
    if subprocess.run(command, check=False).returncode != 0:
        sys.exit("illusion: the environment could not be made; see above")


def extras() -> list[str]:
    """What users may choose."""
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    return sorted(project["optional-dependencies"].keys() - FOR_CONTRIBUTORS)


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1] not in RESOLUTIONS:
        sys.exit(__doc__)
    resolution = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        python = str(Path(folder) / "bin" / "python")
        uv("venv", "--quiet", "--python", LOWEST_PYTHON if resolution == "lowest" else sys.executable, folder)
        what = f"play-illusion[{','.join(extras())}] @ {HERE.parents[1].as_uri()}"
        options = [
            "--python",
            python,
            "--resolution",
            RESOLUTIONS[resolution],
            "--upgrade",
            "--refresh-package",
            "play-illusion",
        ]
        uv("pip", "install", "--quiet", *options, what)
        uv("pip", "list", "--quiet", "--python", python)
        for check in ([sys.executable, str(HERE / "check_installation.py"), python], [python, "-c", ENVIRONMENT_STEPS]):
            if subprocess.run(check, check=False, cwd=folder).returncode != 0:
                sys.exit(f"illusion: the {resolution} allowed versions do not work")
    print(f"illusion: the {resolution} allowed versions work")


if __name__ == "__main__":
    main()
