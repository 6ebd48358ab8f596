"""The languages of the game. Each one is a folder here with a gettext catalogue; nothing else lists them."""

from illusion.languages.catalogues import languages
from illusion.languages.language import ENGLISH, N_, Language
from illusion.languages.negotiation import negotiate

__all__ = ["ENGLISH", "N_", "Language", "languages", "negotiate"]
