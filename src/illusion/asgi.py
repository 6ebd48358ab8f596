"""The application for any ASGI server: `uvicorn illusion.asgi:app`.

The options of `illusion serve` are environment variables here: ILLUSION_DATABASE, ILLUSION_BOT_SECONDS,
ILLUSION_HOST_NAME (several, separated by spaces), ILLUSION_NO_LIMITS=1, and so on.
"""

import os

from illusion.cli.serve import app_from

app = app_from(os.environ)
