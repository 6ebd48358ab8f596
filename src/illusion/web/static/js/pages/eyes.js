// What this device's finished games tell about its player's eyes.
import { trendChart } from '../shared/charts.js';
import { $, h, symbol, the } from '../shared/dom.js';
import { OWN_EYES, request, thoughtOver } from '../shared/server.js';
import { _, names, pageData, percent } from '../shared/texts.js';

/** @typedef {{ figure: number, low: number, high: number }} Estimate */
/** @typedef {{ of: string, placements: number, larger: Estimate }} Bias */

/**
 * @typedef {object} Eyes
 * @property {number} games
 * @property {number} placements
 * @property {number} placed_right
 * @property {number} needed
 * @property {Estimate | null} w
 * @property {string | null} like
 * @property {Bias[]} colours
 * @property {Bias[]} families
 * @property {import('../shared/charts.js').Stretch[]} trend
 * @property {number} needed_for_trend
 * @property {'finer' | 'coarser' | null} change
 * @property {number} doubts
 * @property {number} doubts_right
 * @property {number} believed
 * @property {number} believed_wrong
 */

/** @typedef {{ code: string, samples: Record<string, string>, drawn: string }} Page */

const page = /** @type {Page} */ (pageData('page'));

/** Asks for what the eyes are like, and shows how far that has been worked out. */
function ask() {
  let { code } = page;
  return thoughtOver(async () => {
    const found = await request('POST', OWN_EYES, { code });
    if (found.status !== 202) return found;
    const { done, of } = found.answer.progress;
    the('progress', HTMLProgressElement).value = done / Math.max(1, of);
    code = found.answer.code; // without tables that do not count: to ask for those again looks like guessing
    return found;
  });
}

/** @param {number} part */
const asPercent = (part) => percent(Math.round(100 * part));

/** @param {Estimate} estimate */
const range = ({ figure, low, high }) =>
  _('%(figure)s (between %(low)s and %(high)s)', {
    figure: asPercent(figure),
    low: asPercent(low),
    high: asPercent(high),
  });

/**
 * @param {Bias} bias
 * @param {Node | string} told
 */
function biasLine({ larger, placements }, told) {
  const words =
    larger.figure >= 0
      ? _('looks %(share)s larger to you than it is', { share: asPercent(larger.figure) })
      : _('looks %(share)s smaller to you than it is', { share: asPercent(-larger.figure) });
  const count = _('placements: %(n)s', { n: placements });
  return h('li', { class: 'bias' }, told, h('span', {}, `${words} · ${count}`));
}

/** @param {Bias} bias */
function sample({ of }) {
  return h('img', { class: 'card', src: `${page.samples[of]}${page.drawn}`, alt: of, width: 63, height: 88 });
}

/** @param {Eyes} eyes */
function overTime({ trend, needed_for_trend: needed, change }) {
  const changes = {
    finer: _('Your later games are clearly finer than your first ones.'),
    coarser: _('Your later games are clearly coarser than your first ones.'),
  };
  const title = _('Over time');
  if (!trend.length)
    return [h('h2', {}, title), h('p', {}, _('Placements still needed for a trend: %(n)s.', { n: needed }))];
  return [
    h('h2', {}, title),
    trendChart(trend, title, asPercent),
    h('p', { class: 'soft' }, _('Each point is some 30 placements, the line through it its interval; lower is finer.')),
    change && h('p', {}, changes[change]),
  ];
}

/** @param {Eyes} eyes */
function figures(eyes) {
  if (!eyes.w)
    return [h('p', { class: 'lead' }, _('Placements still needed for a figure: %(n)s.', { n: eyes.needed }))];
  const level = names().levels[eyes.like ?? ''] ?? '';
  return [
    h('p', { class: 'big' }, _('You see like %(level)s.', { level })),
    h('p', {}, _('The spread of your eye is %(range)s of what a card shows.', { range: range(eyes.w) })),
    ...overTime(eyes),
    eyes.colours.length > 0 && h('h2', {}, _('Colours')),
    h(
      'ul',
      { class: 'biases' },
      eyes.colours.map((bias) =>
        biasLine(
          bias,
          h('span', {}, symbol(/** @type {'red'} */ (bias.of)), ` ${names().colours[/** @type {'red'} */ (bias.of)]}`),
        ),
      ),
    ),
    eyes.families.length > 0 && h('h2', {}, _('Patterns')),
    h(
      'ul',
      { class: 'biases' },
      eyes.families.map((bias) => biasLine(bias, sample(bias))),
    ),
  ];
}

/** @param {Eyes} eyes */
const draw = (eyes) => [
  ...figures(eyes),
  h('h2', {}, _('So far')),
  h(
    'ul',
    {},
    h('li', {}, _('Games: %(n)s', { n: eyes.games })),
    h('li', {}, _('Cards placed: %(n)s, of them right: %(right)s', { n: eyes.placements, right: eyes.placed_right })),
    h('li', {}, _('Rows doubted: %(n)s, of them rightly: %(right)s', { n: eyes.doubts, right: eyes.doubts_right })),
    h('li', {}, _('Rows believed: %(n)s, of them wrong: %(wrong)s', { n: eyes.believed, wrong: eyes.believed_wrong })),
  ),
];

if (page.code) {
  const { status, answer, refusal } = await ask();
  if (status === 200) {
    $('#progress')?.remove();
    the('#eyes', HTMLElement).append(...draw(answer.eyes).filter((part) => part instanceof Node));
    the('#eyes', HTMLElement).hidden = false;
  } else the('#progress', HTMLElement).replaceChildren(refusal);
}
