"""The application for any ASGI server: `uvicorn illusion.asgi:app`.

Set by environment variables as `illusion serve` is by options: ILLUSION_DATABASE, ILLUSION_BOT_SECONDS,
ILLUSION_HOST_NAME (several with spaces between), ILLUSION_NO_LIMITS=1, and so on.
"""

import os

from illusion.cli.serve import app_from

app = app_from(os.environ)
