"""Pages, JSON API and event streams: one plain ASGI application. No rule of the game is decided here."""

from illusion.web.app import create_app
from illusion.web.context import AppOptions
from illusion.web.limits import Limits
from illusion.web.serve import CannotListen, serve

__all__ = ["AppOptions", "CannotListen", "Limits", "create_app", "serve"]
