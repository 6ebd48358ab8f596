"""Pages, JSON API and event streams. No rule of the game is decided here."""

from illusion.web.app import create_app
from illusion.web.http.limits.rate_limits import Limits
from illusion.web.server.run import CannotListen, serve

__all__ = ["CannotListen", "Limits", "create_app", "serve"]
