"""The command `illusion` without prefetching, for players who look at no cards."""

from illusion.cli import main
from illusion.tables.pictures import Pictures

setattr(Pictures, "prefetch", lambda *_: None)  # noqa: B010  (a type checker would mind)

if __name__ == "__main__":
    main()
