"""Portraits of the bots: the eyes show the level, brows and mouth the temper, everything else who it is."""

from functools import lru_cache

from illusion.bots.characters import Character
from illusion.bots.faces.face_parts import BROW_HEIGHT, BROWS, EARS_AND_NOSE, EYES, HEADS, MOUTHS, SHOULDERS
from illusion.bots.faces.hair import HAIRDOS
from illusion.bots.faces.pen import INK, PEN, SKIN, dots, line, shape
from illusion.bots.faces.portraits import SKINS, portrait_of
from illusion.bots.faces.worn import ON_SKIN, WORN

__all__ = ["face_svg"]


@lru_cache(256)
def face_svg(character: Character) -> str:
    """The face on a round plate of 64 by 64. It has no ids and no styles, so many can be inlined in one page."""
    face = portrait_of(character)
    paints = face.paints
    skin, shade = SKINS[paints.skin]
    temper = "bold" if character.temper > 0 else "cautious" if character.temper < 0 else "even"
    height = BROW_HEIGHT[character.level]
    behind, over = HAIRDOS[face.hair]
    drawn = "".join(
        [
            dots(64, face.plate, (32, 32)),
            behind,
            SHOULDERS,
            shape(SKIN, HEADS[face.head]),
            EARS_AND_NOSE if face.mouth == "lips" else "",
            *(ON_SKIN[part] for part in face.on_skin),
            EYES[character.level],
            MOUTHS[face.mouth][temper],
            over,
            line(2.2, INK, BROWS[temper].format(low=height, high=height - 3.4)),
            *(WORN[part] for part in face.worn),
        ]
    )
    painted = drawn.format(skin=skin, shade=shade, hair=paints.hair, coat=paints.coat, trim=paints.trim)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" {PEN}>{painted}</svg>'
