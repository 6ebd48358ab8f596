"""The edges of rings as directed lines, which move inward in parallel when a piece shrinks."""

import numpy as np

from illusion.deck.plane.once import once
from illusion.deck.plane.rings import Layout, Numbers, Whole


class Lines:
    """Rings of lines, each from a point in a direction. The inside is on the left (turning from x to y).

    `number` is a line's place before any were dropped, `length` its edge's length then, `ring` the number of each ring.
    """

    def __init__(
        self,
        starts: tuple[Numbers, Numbers],
        ways: tuple[Numbers, Numbers],
        length: Numbers,
        number: Whole,
        layout: Layout,
        ring: Whole,
    ) -> None:
        self.start_x, self.start_y = starts
        self.x, self.y = ways
        """The direction, a unit vector."""
        self.length, self.number, self.layout, self.ring = length, number, layout, ring

    @once
    def before_x(self) -> Numbers:
        """The direction of the line before."""
        return self.x[self.layout.before]

    @once
    def before_y(self) -> Numbers:
        return self.y[self.layout.before]

    @once
    def turn(self) -> Numbers:
        """The sine of the angle from the line before to this one."""
        return self.before_x * self.y - self.before_y * self.x

    @once
    def alike(self) -> Numbers:
        """The cosine of that angle."""
        return self.before_x * self.x + self.before_y * self.y

    @once
    def level(self) -> Numbers:
        """How far each line is from the origin, across it."""
        return self.x * self.start_y - self.y * self.start_x

    def keep(self, wanted: Whole, sizes: Whole, ring: Whole) -> "Lines":
        """Some of the lines, given by their indices; then rings have these sizes and numbers."""
        return Lines(
            (self.start_x[wanted], self.start_y[wanted]),
            (self.x[wanted], self.y[wanted]),
            self.length[wanted],
            self.number[wanted],
            Layout(sizes),
            ring,
        )

    def corners(self, depth: float) -> tuple[Numbers, Numbers]:
        """Where each line meets the one before, both moved inward by the depth."""
        level = self.level + depth
        return self._met(slice(None), level, level[self.layout.before], depth)

    def some_corners(self, at: Whole, depth: float) -> tuple[Numbers, Numbers]:
        """The same for some lines only, given by their indices."""
        return self._met(at, self.level[at] + depth, self.level[self.layout.before[at]] + depth, depth)

    def _met(self, at: slice | Whole, level: Numbers, level_before: Numbers, depth: float) -> tuple[Numbers, Numbers]:
        tx, ty, turn = self.x[at], self.y[at], self.turn[at]
        ux, uy = self.before_x[at], self.before_y[at]
        parallel = np.abs(turn) < 1e-7
        if not len(parallel.nonzero()[0]):
            return (level_before * tx - level * ux) / turn, (level_before * ty - level * uy) / turn
        turn = np.where(parallel, 1.0, turn)
        x = np.where(parallel, self.start_x[at] - depth * ty, (level_before * tx - level * ux) / turn)
        y = np.where(parallel, self.start_y[at] + depth * tx, (level_before * ty - level * uy) / turn)
        return x, y

    def lengths(self, depth: float) -> Numbers:
        """How long each edge is at a depth; negative if it has vanished before."""
        x, y = self.corners(depth)
        after = self.layout.after
        long: Numbers = self.x * (x[after] - x) + self.y * (y[after] - y)
        return long
