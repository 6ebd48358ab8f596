"""Camouflage: blobs in which one of several smooth noises is the largest.

The borders are traced by marching squares, on a grid of labels that a majority filter has cleared of specks.
"""

from math import cos, pi, radians, sin, tau
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece

Array = NDArray[np.float64]

MIN_PIECE_AREA: Final = 45000.0
WAVES_PER_NOISE: Final = 5


def pieces(rng: Random, count: int) -> list[Piece]:
    left, top, right, bottom = CANVAS.bounds
    noises = rng.choice([3, 4])
    length = (1.5 if noises == 3 else 1.85) * (CANVAS.area / count) ** 0.5
    step = min(max(length / 7.5, 145), 190)
    across, down = (
        np.arange(left - 2 * step, right + 3 * step, step),
        np.arange(top - 2 * step, bottom + 3 * step, step),
    )
    places = np.stack(np.meshgrid(across, down), axis=-1)
    waves = _waves(rng, noises, length)
    blobs = shapely.get_parts(shapely.polygonize(_borders(places, _noise(waves, places))))
    labels = np.argmax(_noise(waves, shapely.get_coordinates(shapely.point_on_surface(blobs))), axis=0)
    clipped = np.asarray(shapely.clip_by_rect(blobs, left, top, right, bottom))
    pinched = ~shapely.is_valid(clipped)
    clipped[pinched] = shapely.buffer(clipped[pinched], 0)
    seen, of_blob = shapely.get_parts(clipped, return_index=True)
    return [Piece(part, int(labels[at])) for part, at in zip(seen, of_blob, strict=True) if part.area > MIN_PIECE_AREA]


def _waves(rng: Random, noises: int, length: float) -> Array:
    """The waves of each noise, stretched along one direction: x and y frequency and phase of each wave."""
    tilt, stretch = radians(rng.uniform(-70, 70)), rng.uniform(1, 1.35)
    waves = []
    for _ in range(noises):
        start = rng.uniform(0, pi)
        for wave in range(WAVES_PER_NOISE):
            turn = start + pi * (wave + rng.uniform(-0.3, 0.3)) / WAVES_PER_NOISE
            pace = tau / length * rng.uniform(0.65, 1.15)
            u, v = pace * cos(turn) / stretch, pace * sin(turn) * stretch
            waves.append((u * cos(tilt) - v * sin(tilt), u * sin(tilt) + v * cos(tilt), rng.uniform(0, tau)))
    return np.array(waves).reshape(noises, WAVES_PER_NOISE, 3)


def _noise(waves: Array, places: Array) -> Array:
    away = places - CENTRE
    return np.stack([np.cos(away @ noise[:, :2].T + noise[:, 2]).sum(axis=-1) for noise in waves])


def _borders(places: Array, noise: Array) -> NDArray[np.object_]:
    """Smooth lines between the areas where different noises are the largest, and one around them all."""
    largest = _without_specks(np.argmax(noise, axis=0), len(noise))
    largest[[0, -1], :] = largest[:, [0, -1]] = len(noise)
    noise = np.concatenate([noise, np.zeros_like(noise[:1])]).reshape(len(noise) + 1, -1)
    labels, places = largest.ravel(), places.reshape(-1, 2)
    node = np.arange(labels.size).reshape(largest.shape)
    a, b, c, d = node[:-1, :-1].ravel(), node[:-1, 1:].ravel(), node[1:, :-1].ravel(), node[1:, 1:].ravel()
    p, q = np.stack([a, b, c, a], axis=1), np.stack([b, d, d, c], axis=1)
    crossed = labels[p] != labels[q]
    crossings = crossed.sum(axis=1)
    p, q, crossed, crossings = (each[crossings > 0] for each in (p, q, crossed, crossings))
    before = np.abs(noise[labels[p], p] - noise[labels[q], p])
    after = np.abs(noise[labels[q], q] - noise[labels[p], q])
    share = np.clip(before / np.maximum(before + after, 1e-9), 0.05, 0.95)[..., None]
    at = np.round(places[p] + share * (places[q] - places[p]), 1)
    segments = [at[crossings == 2][crossed[crossings == 2]].reshape(-1, 2, 2)]
    for several in (3, 4):
        ends = at[crossings == several][crossed[crossings == several]].reshape(-1, several, 2)
        middle = np.broadcast_to(ends.mean(axis=1, keepdims=True), ends.shape)
        segments.append(np.stack([ends, middle], axis=2).reshape(-1, 2, 2))
    pieces_of_line = np.asarray(shapely.linestrings(np.concatenate(segments)))
    return _smoothed(shapely.get_parts(shapely.line_merge(shapely.multilinestrings(pieces_of_line))))


def _without_specks(labels: NDArray[np.int64], noises: int) -> NDArray[np.int64]:
    """Majority filter: a label with few equal neighbours is replaced by the most frequent one around it."""
    inner = (slice(1, -1), slice(1, -1))
    for _ in range(2):
        own = (labels == np.arange(noises)[:, None, None]).astype(np.int64)
        rows = own[:, :-2] + own[:, 1:-1] + own[:, 2:]
        votes = rows[..., :-2] + rows[..., 1:-1] + rows[..., 2:]
        alike = np.take_along_axis(votes, labels[inner][None], axis=0)[0]
        labels = labels.copy()
        labels[inner] = np.where(alike < 5, votes.argmax(axis=0), labels[inner])
    return labels


def _smoothed(lines: NDArray[np.object_]) -> NDArray[np.object_]:
    points, of_line = shapely.get_coordinates(lines, return_index=True)
    ends = np.append(True, of_line[1:] != of_line[:-1])
    ends |= np.roll(ends, -1)
    for _ in range(3):
        softer = (np.roll(points, 1, axis=0) + 2 * points + np.roll(points, -1, axis=0)) / 4
        points = np.where(ends[:, None], points, softer)
    return np.asarray(shapely.simplify(shapely.linestrings(points, indices=of_line), 3.0))
