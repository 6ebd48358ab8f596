"""The command `illusion`. What a command needs is imported when it is asked for, so that each starts fast."""

from illusion.cli.command import main

__all__ = ["main"]
