"""Pages, JSON API and event streams: one plain ASGI application. No rule of the game is decided here."""

from illusion.web.app import AppOptions, create_app
from illusion.web.http.limits import Limits
from illusion.web.serve import CannotListen, serve

__all__ = ["AppOptions", "CannotListen", "Limits", "create_app", "serve"]
