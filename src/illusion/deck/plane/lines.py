"""The edges of rings as directed lines, which move inward in parallel when a piece shrinks."""

import numpy as np

from illusion.deck.plane.rings import Numbers, RingLayout, Whole


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
        layout: RingLayout,
        ring: Whole,
    ) -> None:
        self.start_x, self.start_y = starts
        self.x, self.y = ways
        """The direction, a unit vector."""
        self.length, self.number, self.layout, self.ring = length, number, layout, ring
        self.before_x: Numbers = self.x[layout.before]
        self.before_y: Numbers = self.y[layout.before]
        """The direction of the line before."""
        self.turn: Numbers = self.before_x * self.y - self.before_y * self.x
        """The sine of the angle from the line before to this one."""
        self.alike: Numbers = self.before_x * self.x + self.before_y * self.y
        """The cosine of that angle."""
        self.level: Numbers = self.x * self.start_y - self.y * self.start_x
        """How far each line is from the origin, across it."""

    def keep(self, wanted: Whole, sizes: Whole, ring: Whole) -> "Lines":
        """Some of the lines, given by their indices; then rings have these sizes and numbers."""
        return Lines(
            (self.start_x[wanted], self.start_y[wanted]),
            (self.x[wanted], self.y[wanted]),
            self.length[wanted],
            self.number[wanted],
            RingLayout(sizes),
            ring,
        )

    def corners(self, depth: float) -> tuple[Numbers, Numbers]:
        """Where each line meets the one before, both moved inward by the depth."""
        level = self.level + depth
        before, turn = level[self.layout.before], self.turn
        parallel = (np.abs(turn) < 1e-7).nonzero()[0]
        if len(parallel):
            turn = turn.copy()
            turn[parallel] = 1.0
        x = (before * self.x - level * self.before_x) / turn
        y = (before * self.y - level * self.before_y) / turn
        if len(parallel):
            x[parallel] = self.start_x[parallel] - depth * self.y[parallel]
            y[parallel] = self.start_y[parallel] + depth * self.x[parallel]
        return x, y

    def lengths(self, depth: float) -> Numbers:
        """How long each edge is at a depth; negative if it has vanished before."""
        x, y = self.corners(depth)
        after = self.layout.after
        long: Numbers = self.x * (x[after] - x) + self.y * (y[after] - y)
        return long
