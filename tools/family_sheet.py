"""Draw 42 cards of one family on one sheet: python tools/family_sheet.py spiral spiral.png"""

import sys
from dataclasses import replace
from pathlib import Path

from illusion.deck import STANDARD, Deck, make_deck
from illusion.deck.deck_files import write_contact_sheet
from illusion.deck.families import FAMILIES

if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES:
    sys.exit(f"usage: python tools/family_sheet.py FAMILY FILE.png|svg\nfamilies: {', '.join(FAMILIES)}")
cards = tuple(replace(card, family=sys.argv[1]) for card in make_deck(1)[:42])
write_contact_sheet(Deck(1, cards), Path(sys.argv[2]), STANDARD)
