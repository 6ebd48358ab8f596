"""What can go wrong in several commands, in one sentence."""

from illusion.deck.output.deck_files import CannotWrite, MissingExtra
from illusion.tables import CannotOpen, StoreFailed
from illusion.tables.transfer import CannotTransfer


def sentence(failure: Exception) -> str | None:
    """None for what nobody expects: it is a defect of ours, and its traceback is needed."""
    match failure:
        case CannotOpen():
            return f"the database cannot be used: {failure}"
        case StoreFailed():
            return f"the database failed: {failure}"
        case CannotWrite() | CannotTransfer() | MissingExtra():
            return str(failure)
    return None
