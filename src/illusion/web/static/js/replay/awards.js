// Superlatives of a finished game, each a link to its moment; the end screen shows the two best.
import { h } from '../draw/elements.js';
import { labelOf } from '../draw/sentences.js';
import { $, wait } from '../shared/dom.js';
import { _, percent } from '../shared/texts.js';
import { apiTable, replayPage } from '../shared/urls.js';
import { addressOf } from './moments.js';

/** @typedef {import('../connection/messages.js').View} View */
/** @typedef {{ award: string, seat: number, figure: number, round: number, turn: number }} Award */

const SHOWN = 2;
const RETRY_MS = 800;

/**
 * @param {View} view
 * @param {Award} award
 * @param {number | null} me
 */
export function awardLine(view, { award, seat, figure, round, turn }, me) {
  const [name, share] = [labelOf(view, seat, me), percent(Math.round(100 * figure))];
  const told = {
    'boldest-doubt': _('%(name)s: the boldest right doubt, of a row that seemed %(share)s likely to be wrong.', {
      name,
      share,
    }),
    'worst-illusion': _('%(name)s: the worst illusion (points off: %(points)s).', { name, points: figure }),
    'sharpest-placement': _(
      '%(name)s: the sharpest placement, which an ordinary eye gets right %(share)s of the time.',
      {
        name,
        share,
      },
    ),
  }[award];
  return told ? h('li', {}, h('a', { href: replayPage(view.table) + addressOf({ round, move: turn }) }, told)) : null;
}

/**
 * Adds the best ones to the end screen once the game has been thought over.
 * @param {View} view
 * @param {number | null} me
 */
export async function showBestAwards(view, me) {
  for (;;) {
    const response = await fetch(apiTable(view.table, 'review')).catch(() => null);
    if (response?.status === 202) {
      await response.text(); // what is not to be kept stays open until it is read
      await wait(RETRY_MS);
      continue;
    }
    /** @type {{ awards: Award[] }} */
    const { awards } = response?.ok ? await response.json() : { awards: [] };
    const told = awards.filter(({ award }) => award !== 'worst-illusion'); // it is shown large
    const lines = told.slice(0, SHOWN).map((award) => awardLine(view, award, me));
    if (lines.length) $('.summary')?.append(h('ul', { class: 'awards' }, lines));
    return;
  }
}
