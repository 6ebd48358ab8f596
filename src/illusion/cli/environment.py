"""The application as environment variables say, for `illusion.asgi`."""

import argparse
from collections.abc import Mapping

from starlette.applications import Starlette

from illusion.cli.serve import APPLICATION, add_application, app_options
from illusion.tables import default_database, exclusive_use, store_at
from illusion.web import create_app
from illusion.web.telemetry import set_up_log


def app_from(environment: Mapping[str, str]) -> Starlette:
    """A wrong value ends with a sentence, as a wrong option does. Raises CannotOpen."""
    parser = argparse.ArgumentParser(
        "illusion.asgi", usage="ILLUSION_DATABASE=… uvicorn illusion.asgi:app", add_help=False
    )
    add_application(parser)
    chosen = parser.parse_args(_arguments(environment))
    set_up_log(chosen.log)
    database = chosen.database or default_database()
    return create_app(store_at(database), app_options(chosen), exclusive_use(database))


def _arguments(environment: Mapping[str, str]) -> list[str]:
    arguments = list[str]()
    for option, how in APPLICATION.items():
        value = environment.get("ILLUSION_" + option.removeprefix("--").replace("-", "_").upper(), "")
        match how.get("action"):
            case "store_true":
                arguments += [option] if value not in ("", "0") else []
            case "append":
                arguments += [f"{option}={each}" for each in value.split()]
            case _:
                arguments += [f"{option}={value}"] if value else []
    return arguments
