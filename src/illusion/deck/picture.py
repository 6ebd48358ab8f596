"""What a picture is: for each colour the regions it covers, and the manner in which it is spread."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from illusion.rules import Colour

Ring = NDArray[np.int64]
Region = list[Ring]
"""An outline and its holes, which run the other way round."""
Picture = dict[Colour, list[Region]]


class Manner(NamedTuple):
    """How a colour is spread: as dust or as a block; around the centre or along the rim."""

    dust: bool
    central: bool


class Undrawable(ValueError):
    """These shares leave too little white for a picture."""
