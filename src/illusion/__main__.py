"""`python -m illusion` is the command `illusion`."""

from illusion.cli import main

main()
