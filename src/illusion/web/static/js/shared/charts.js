// Charts: all seats' chances to win over a game, and the trend of a player's noise.
import { s } from './dom.js';

/** The size of a chart, and its margins. */
const GAME = { width: 800, height: 320, left: 92, right: 12, top: 18, bottom: 32 };
const TREND = { width: 800, height: 240, left: 92, right: 16, top: 20, bottom: 34 };
const TREND_LINES = 4;

/**
 * The position of a moment and a chance in the chart.
 * @param {number} at
 * @param {number} moments
 * @param {number} chance
 */
export const position = (at, moments, chance) => [
  Math.round(GAME.left + ((GAME.width - GAME.left - GAME.right) * at) / Math.max(1, moments - 1)),
  Math.round(GAME.top + (GAME.height - GAME.top - GAME.bottom) * (1 - chance)),
];

/**
 * @param {number[][]} chances of every seat, at every moment
 * @param {number[]} rounds of every moment but the last
 * @param {string} told what it shows, in words
 * @param {(share: number) => string} percent
 */
export function chart(chances, rounds, told, percent) {
  const count = chances.length;
  const drawing = s('svg', {
    class: 'chart',
    viewBox: `0 0 ${GAME.width} ${GAME.height}`,
    role: 'img',
    'aria-label': told,
  });
  for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
    const [, y = 0] = position(0, count, chance);
    drawing.append(
      s('line', { class: 'grid', x1: GAME.left, x2: GAME.width - GAME.right, y1: y, y2: y }),
      s('text', { x: GAME.left - 6, y: y + 4, 'text-anchor': 'end' }, percent(chance * 100)),
    );
  }
  for (const [at, round] of rounds.entries()) {
    if (at && rounds[at - 1] === round) continue;
    const [x = 0] = position(at, count, 0);
    drawing.append(
      s('line', { class: 'grid', x1: x, x2: x, y1: GAME.top, y2: GAME.height - GAME.bottom }),
      s('text', { x: x + 3, y: GAME.height - 8 }, String(round)),
    );
  }
  for (const seat of (chances[0] ?? []).keys()) {
    const points = chances.map((each, at) => position(at, count, each[seat] ?? 0).join(',')).join(' ');
    drawing.append(s('polyline', { class: `line seat-${seat}`, points }));
  }
  return drawing;
}

/** @param {number} seat */
export const legendLine = (seat) =>
  s(
    'svg',
    { class: 'chart', viewBox: '0 0 34 10' },
    s('line', { class: `line seat-${seat}`, x1: 0, x2: 34, y1: 5, y2: 5 }),
  );

/** @typedef {{ figure: number, low: number, high: number }} Estimate */
/** @typedef {{ placements: number, w: Estimate }} Stretch */

/**
 * The maximum of the chart, and the steps of its scale, in round percentages.
 * @param {readonly Stretch[]} trend
 */
export function scale(trend) {
  const most = Math.max(...trend.map(({ w }) => w.high), 0.01);
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((each) => each * TREND_LINES >= most) ?? 0.25;
  return { step, top: step * TREND_LINES };
}

/**
 * The trend of a player's noise: an estimate for each stretch of placements, with its interval.
 * @param {readonly Stretch[]} trend
 * @param {string} label
 * @param {(part: number) => string} asPercent
 */
export function trendChart(trend, label, asPercent) {
  const drawing = s('svg', {
    class: 'chart trend',
    viewBox: `0 0 ${TREND.width} ${TREND.height}`,
    role: 'img',
    'aria-label': label,
  });
  const { step, top } = scale(trend);
  const y = (/** @type {number} */ w) =>
    Math.round(TREND.top + (TREND.height - TREND.top - TREND.bottom) * (1 - Math.min(w, top) / top));
  for (let line = 0; line <= TREND_LINES; line += 1) {
    const at = y(line * step);
    drawing.append(
      s('line', { class: 'grid', x1: TREND.left, x2: TREND.width - TREND.right, y1: at, y2: at }),
      s('text', { x: TREND.left - 8, y: at + 4, 'text-anchor': 'end' }, asPercent(line * step)),
    );
  }
  const width = (TREND.width - TREND.left - TREND.right) / trend.length;
  let placed = 0;
  const points = trend.map(({ placements, w }, at) => {
    placed += placements;
    return { x: Math.round(TREND.left + width * (at + 0.5)), w, placed };
  });
  drawing.append(
    s('polyline', {
      class: 'line',
      points: points.map(({ x, w }) => `${x},${y(w.figure)}`).join(' '),
    }),
  );
  const every = Math.ceil(points.length / 8);
  for (const [at, { x, w, placed: until }] of points.entries()) {
    drawing.append(
      s('line', {
        class: 'interval',
        x1: x,
        x2: x,
        y1: y(w.low),
        y2: y(w.high),
      }),
      s('circle', { class: 'figure', cx: x, cy: y(w.figure), r: 6 }),
    );
    if (at % every === 0) drawing.append(s('text', { x, y: TREND.height - 8, 'text-anchor': 'middle' }, String(until)));
  }
  return drawing;
}

const RING_R = 52;

/**
 * A ring that fills, with a figure in it.
 * @param {number} part from 0 to 1, or more
 * @param {string} figure
 * @param {string} label
 */
export function ring(part, figure, label) {
  const circle = { cx: 60, cy: 60, r: RING_R, pathLength: 100 };
  return s(
    'svg',
    { class: 'ring', viewBox: '0 0 120 120', role: 'img', 'aria-label': label },
    s('circle', circle),
    s('circle', { ...circle, class: 'filled', 'stroke-dasharray': `${Math.min(part, 1) * 100} 100` }),
    s('text', { x: 60, y: 60, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, figure),
  );
}
