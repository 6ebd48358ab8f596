// How finely somebody saw, over time: a figure for each stretch of placements, with its interval.
import { s } from './chart.js';

/** @typedef {{ figure: number, low: number, high: number }} Estimate */
/** @typedef {{ placements: number, w: Estimate }} Stretch */

const [WIDTH, HEIGHT] = [800, 240];
const [LEFT, RIGHT, TOP, BOTTOM] = [92, 16, 20, 34];
const LINES = 4;

/**
 * The highest figure that the chart shows, and the steps of its scale: round numbers of percent.
 * @param {readonly Stretch[]} trend
 */
export function scale(trend) {
  const most = Math.max(...trend.map(({ w }) => w.high), 0.01);
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((each) => each * LINES >= most) ?? 0.25;
  return { step, top: step * LINES };
}

/**
 * @param {readonly Stretch[]} trend
 * @param {string} label
 * @param {(part: number) => string} asPercent
 */
export function trendChart(trend, label, asPercent) {
  const drawing = s('svg', {
    class: 'chart trend',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': label,
  });
  const { step, top } = scale(trend);
  const y = (/** @type {number} */ w) => Math.round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.min(w, top) / top));
  for (let line = 0; line <= LINES; line += 1) {
    const at = y(line * step);
    drawing.append(
      s('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }),
      s('text', { x: LEFT - 8, y: at + 4, 'text-anchor': 'end' }, asPercent(line * step)),
    );
  }
  const width = (WIDTH - LEFT - RIGHT) / trend.length;
  let placed = 0;
  const points = trend.map(({ placements, w }, at) => {
    placed += placements;
    return { x: Math.round(LEFT + width * (at + 0.5)), w, placed };
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
    if (at % every === 0) drawing.append(s('text', { x, y: HEIGHT - 8, 'text-anchor': 'middle' }, String(until)));
  }
  return drawing;
}
