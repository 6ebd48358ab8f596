// My eyes: estimates from this device's finished games.
import { forgetGuesses, keptGuesses } from '../draw/guesses.js';
import { ring, trendChart } from '../shared/charts.js';
import { $, h, required, symbol } from '../shared/dom.js';
import { at, cardPicture, OWN_EYES, request, thoughtOver } from '../shared/server.js';
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

/**
 * @typedef {object} Guesses
 * @property {number} count
 * @property {number | null} off
 * @property {Estimate | null} larger
 * @property {{ of: string, guesses: number, larger: Estimate }[]} colours
 */

/**
 * Two neighbours, one of which the player laid.
 * @typedef {{ arrow: import('../table/messages.js').Colour, cards: string[], shares: number[] }} Pair
 */

/** @typedef {{ code: string, samples: Record<string, string>, drawn: string }} Page */

const NEEDED = 30; // placements for an estimate

const page = /** @type {Page} */ (pageData('page'));

/** Requests the estimates, and shows the progress of computing them. */
function ask() {
  let { code } = page;
  return thoughtOver(async () => {
    const found = await request('POST', OWN_EYES, { code, guesses: keptGuesses() });
    if (found.status !== 202) return found;
    const { done, of } = found.answer.progress;
    required('progress', HTMLProgressElement).value = done / Math.max(1, of);
    code = found.answer.code; // without tables that do not count: asking for them again would look like guessing
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
  const count = _('cards: %(n)s', { n: placements });
  return h('li', { class: 'bias' }, told, h('span', {}, `${words} · ${count}`));
}

/** @param {Bias} bias */
function sample({ of }) {
  return h('img', { class: 'card', src: at(`${page.samples[of]}${page.drawn}`), alt: of, width: 63, height: 88 });
}

/** @param {Eyes} eyes */
function overTime({ trend, needed_for_trend: needed, change }) {
  const changes = {
    finer: _('Your later games are clearly finer than your first ones.'),
    coarser: _('Your later games are clearly coarser than your first ones.'),
  };
  const title = _('Over time');
  if (!trend.length)
    return [h('h2', {}, title), h('p', {}, _('Cards still to place for a trend: %(n)s.', { n: needed }))];
  return [
    h('h2', {}, title),
    trendChart(trend, title, asPercent),
    h(
      'p',
      { class: 'soft' },
      _('Each point stands for some 30 cards; the lower, the finer. The line shows how sure that is.'),
    ),
    change && h('p', {}, changes[change]),
  ];
}

/**
 * The progress towards an estimate, as a ring that fills; then the estimate in words.
 * @param {Eyes} eyes
 */
function atFirst({ placements, needed, w, like }) {
  const told = w
    ? [
        h('p', { class: 'big' }, _('Your eyes: %(level)s', { level: names().levels[like ?? ''] ?? '' })),
        h('p', {}, _('At one look you are off by about %(range)s of what a card shows.', { range: range(w) })),
      ]
    : h(
        'p',
        { class: 'lead' },
        _('Cards still to place: %(n)s. Then this page knows how finely you see.', { n: needed }),
      );
  const label = _('%(n)s of %(all)s cards', { n: Math.min(placements, NEEDED), all: NEEDED });
  return h('div', { class: 'at-first' }, ring(placements / NEEDED, String(placements), label), h('div', {}, told));
}

/**
 * @param {Pair | null} pair
 * @param {string} title
 * @param {(values: { left: string, right: string }) => string} tell
 */
function pairShown(pair, title, tell) {
  if (!pair) return null;
  const [left = 0, right = 0] = pair.shares;
  return h(
    'figure',
    { class: 'pair' },
    h('h2', {}, symbol(pair.arrow), ` ${title}`),
    h(
      'div',
      { class: 'two' },
      pair.cards.map((card, at) =>
        h(
          'span',
          {},
          h('img', { class: 'card', src: cardPicture(card) + page.drawn, alt: '', width: 630, height: 880 }),
          h('b', { class: 'share' }, percent(pair.shares[at] ?? 0)),
        ),
      ),
    ),
    h('figcaption', {}, tell({ left: percent(left), right: percent(right) })),
  );
}

/** @param {Guesses} guesses */
function guessesShown({ count, off, larger, colours }) {
  const title = h('h2', {}, _('My guesses'));
  if (off === null)
    return [title, h('p', {}, _('While others think, guess at the next card: here you see how well you do.'))];
  return [
    title,
    h('p', {}, _('Guesses: %(n)s, off by %(points)s points on average.', { n: count, points: Math.round(off) })),
    larger && h('p', {}, tendency(larger)),
    h(
      'ul',
      { class: 'biases' },
      colours.map(({ of, larger: by, guesses: placements }) =>
        biasLine({ of, placements, larger: by }, colourName(of)),
      ),
    ),
  ];
}

/** @param {Estimate} larger */
function tendency({ figure, low, high }) {
  if (low > 0) return _('In all you name %(share)s more than there is.', { share: asPercent(figure) });
  if (high < 0) return _('In all you name %(share)s less than there is.', { share: asPercent(-figure) });
  return _('In all you name neither too much nor too little.');
}

/** @param {string} colour */
const colourName = (colour) =>
  h('span', {}, symbol(/** @type {'red'} */ (colour)), ` ${names().colours[/** @type {'red'} */ (colour)]}`);

/** @param {Eyes} eyes */
function figures(eyes) {
  if (!eyes.w) return [];
  return [
    ...overTime(eyes),
    eyes.colours.length > 0 && h('h2', {}, _('The next card beside the row')),
    h(
      'ul',
      { class: 'biases' },
      eyes.colours.map((bias) => biasLine(bias, colourName(bias.of))),
    ),
    eyes.families.length > 0 && h('h2', {}, _('Patterns')),
    h(
      'ul',
      { class: 'biases' },
      eyes.families.map((bias) => biasLine(bias, sample(bias))),
    ),
  ];
}

/** @param {{ eyes: Eyes, guesses: Guesses, worst: Pair | null, finest: Pair | null }} told */
const draw = ({ eyes, guesses, worst, finest }) => [
  atFirst(eyes),
  h(
    'div',
    { class: 'pairs' },
    pairShown(worst, _('My worst illusion'), (values) => _('%(left)s seemed less to you than %(right)s.', values)),
    pairShown(finest, _('My finest pair'), (values) => _('You saw that %(left)s is less than %(right)s.', values)),
  ),
  guessesShown(guesses),
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
    required('#eyes', HTMLElement).append(h('div', {}, draw(/** @type {Parameters<typeof draw>[0]} */ (answer))));
    required('#eyes', HTMLElement).hidden = false;
  } else required('#progress', HTMLElement).replaceChildren(refusal);
}

$('[name=forget]')?.addEventListener('click', forgetGuesses);
