// What the others laid since one's own last turn, shown once more, card by card.
import { sinceMyTurn } from '../draw/playing.js';
import { $$, wait } from '../shared/dom.js';
import { mySeat } from '../table/state.js';

/** @typedef {import('../table/state.js').TableState} TableState */

const CARD_MS = 900;

/** @param {TableState} state */
export async function replayMoves(state) {
  const cells = $$('#row .cell');
  for (const { at } of sinceMyTurn(state.view, mySeat(state))) {
    cells[at]?.classList.add('shown-again');
    await wait(CARD_MS);
    cells[at]?.classList.remove('shown-again');
  }
}
