// The part of a page that shows the table, made from the server's view.
import { h } from './elements.js';
import { over } from './over.js';
import { playing } from './playing.js';
import { closed, waiting } from './waiting.js';

/** @typedef {import('../connection/messages.js').View} View */

/** @type {Record<import('../connection/messages.js').Phase, (view: View, me: number | null) => import('./elements.js').Child[]>} */
const parts = { waiting, playing, over, closed };

/**
 * @param {View} view
 * @param {number | null} me the reader's own seat
 */
export const drawTable = (view, me) =>
  h(
    'section',
    { id: 'state', class: `state ${view.phase}`, 'data-seq': view.seq, 'data-phase': view.phase },
    parts[view.phase](view, me),
  );
