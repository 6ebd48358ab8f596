"""What is drawn on the skin, below eyes and mouth, and what is worn on top of everything else."""

from typing import Final

from illusion.bots.faces.pen import COAT, GOLD, HAIR, INK, RED, SHADE, TRIM, WHITE, dots, line, shape


def _glasses(width: float, glass: str, path: str) -> str:
    return f'<g fill="{glass}" stroke-linejoin="round">{line(width, TRIM, path)}</g>'


ON_SKIN: Final = {
    "freckles": dots(2, SHADE, (19, 43.5), (22, 45.2), (45, 43.5), (42, 45.2)),
    "blush": dots(6, "#f28a8f", (19.5, 43.5), (44.5, 43.5)),
    "stubble": shape(HAIR, "M15 37q2 5 8.5 5 8-2 17 0 6.5 0 8.5-5Q49 54 32 54T15 37z"),
    "beard": shape(HAIR, "M14.5 33q2 8 8 8.5 9.5-2 19 0 6-.5 8-8.5Q51 57 32 58.5 13 57 14.5 33z"),
    "goatee": shape(HAIR, "M21 45q0-4 5-3.5 6 1.5 12 0 5-.5 5 3.5-1 12-11 16-10-4-11-16z"),
    "pale-cheeks": dots(16, WHITE, (25, 36), (39, 36)),
    "muzzle": shape(WHITE, "M19 44q6-5 13-3 7-2 13 3 0 9-13 10-13-1-13-10z") + shape(INK, "M28.5 40h7L32 44z"),
    "round-glasses": _glasses(
        2,
        WHITE,
        "M17.8 36a6.7 6.7 0 1 0 0-.1zM32.8 36a6.7 6.7 0 1 0 0-.1z",
    ),
    "square-glasses": _glasses(2.2, WHITE, "M17.5 30h13v12h-13zM33.5 30h13v12h-13z"),
    "cat-eye-glasses": _glasses(
        2.2, WHITE, "M15 28.5l15.5 3q.5 10-6 10-7.5 0-9.5-13zM49 28.5l-15.5 3q-.5 10 6 10 7.5 0 9.5-13z"
    ),
    "browline-glasses": _glasses(1.4, WHITE, "M18 35h13q0 8-6.5 8T18 35zM33 35h13q0 8-6.5 8T33 35z")
    + line(3, TRIM, "M18 33.5h28"),
}

WORN: Final = {
    "hoops": line(2, TRIM, "M10 45a4 4 0 1 0 0-.1zM46 45a4 4 0 1 0 0-.1z"),
    "headphones": line(3.5, TRIM, "M13 34Q11 10 32 10t19 24") + line(8, TRIM, "M12.5 34v6M51.5 34v6"),
    "moustache": shape(HAIR, "M32 42q4-3 8-1 5 3 9 0-1 7-8 7-6 0-9-3-3 3-9 3-7 0-8-7 4 3 9 0 4-2 8 1z"),
    "curled-moustache": line(2.6, HAIR, "M32 42q5-1.5 8 .8 4 2 6.5-2.3M32 42q-5-1.5-8 .8-4 2-6.5-2.3"),
    "sunglasses-up": _glasses(2, INK, "M30 17h4M17.5 15h13v3q0 6-6.5 6t-6.5-6zM33.5 15h13v3q0 6-6.5 6t-6.5-6z"),
    "monocle": line(2.2, GOLD, "M32 37a7 7 0 1 0 0-.1z") + line(1.2, GOLD, "M45.5 40q3 8-1 14"),
    "magnifying-glass": line(4, INK, "M44 43l7 11")
    + dots(19, INK, (39, 36.5))
    + dots(15, WHITE, (39, 36.5))
    + dots(9, INK, (38, 38))
    + shape(SHADE, "M31.6 35h14.8a7.5 7.5 0 0 0-14.8 0z"),
    "pencil": line(3.4, GOLD, "M43.5 23L53 16.5")
    + line(3.4, RED, "M55 15l-2 1.5")
    + shape(INK, "M43.8 25l-5 1.5 3-4.3z"),
    "bow-tie": shape(TRIM, "M32 58l-8-4.5v9zM32 58l8-4.5v9z") + dots(4, TRIM, (32, 58)),
    "turtleneck": line(7, COAT, "M25.5 58h13"),
    "flying-goggles": line(4, "#6b4423", "M15 21q17-5 34 0")
    + dots(12, TRIM, (25, 19), (39, 19))
    + dots(8, "#b7d5f7", (25, 19), (39, 19)),
    "binoculars": line(8, INK, "M26 56.5v2.5M38 56.5v2.5")
    + line(4, INK, "M26 56h12")
    + line(1.8, GOLD, "M23.5 59.5h5M35.5 59.5h5"),
}
