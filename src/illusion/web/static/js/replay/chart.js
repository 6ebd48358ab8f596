// A chart of every seat's chance to win over a game.

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT] = [800, 320];
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 12, 18, 32];

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Where a moment and a chance lie in the chart.
 * @param {number} at
 * @param {number} moments
 * @param {number} chance
 */
export const position = (at, moments, chance) => [
  Math.round(LEFT + ((WIDTH - LEFT - RIGHT) * at) / Math.max(1, moments - 1)),
  Math.round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)),
];

/**
 * @param {number[][]} chances of every seat, at every moment
 * @param {number[]} rounds of every moment but the last
 * @param {string} told what it shows, in words
 */
export function chart(chances, rounds, told) {
  const count = chances.length;
  const drawing = s('svg', { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': told });
  for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
    const [, y = 0] = position(0, count, chance);
    drawing.append(
      s('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
      s('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, String(chance * 100)),
    );
  }
  for (const [at, round] of rounds.entries()) {
    if (at && rounds[at - 1] === round) continue;
    const [x = 0] = position(at, count, 0);
    drawing.append(
      s('line', { class: 'grid', x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }),
      s('text', { x: x + 3, y: HEIGHT - 8 }, String(round)),
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
