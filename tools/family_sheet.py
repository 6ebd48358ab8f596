"""Draw 42 cards of one family on one sheet: python tools/family_sheet.py spiral spiral.png [GENERATOR]"""

import sys
from dataclasses import replace
from pathlib import Path

from illusion.deck import LATEST, STANDARD, Deck, make_deck
from illusion.deck.generators import GENERATORS
from illusion.deck.mosaics import MOSAICS
from illusion.deck.output.deck_files import write_contact_sheet

known = [[], *([str(version)] for version in GENERATORS)]
if len(sys.argv) < 3 or sys.argv[1] not in MOSAICS or sys.argv[3:] not in known:
    usage = "usage: python tools/family_sheet.py FAMILY FILE.png|svg [GENERATOR]"
    sys.exit(f"{usage}\nfamilies: {', '.join(MOSAICS)}\ngenerators: {', '.join(map(str, GENERATORS))}")
version = int(sys.argv[3]) if len(sys.argv) == 4 else LATEST
cards = tuple(replace(card, family=sys.argv[1]) for card in make_deck(1, version)[:42])
write_contact_sheet(Deck(1, version, cards), Path(sys.argv[2]), STANDARD)
