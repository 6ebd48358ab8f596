"""The languages the game speaks. A language is a folder here with a gettext catalogue; nothing else knows of it."""

from illusion.languages.catalogues import languages
from illusion.languages.language import ENGLISH, N_, Language
from illusion.languages.negotiating import negotiate

__all__ = ["ENGLISH", "N_", "Language", "languages", "negotiate"]
