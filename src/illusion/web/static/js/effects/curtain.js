// A new round: which one, and which colour counts, large and for a moment.
import { arrow, h } from '../draw/elements.js';
import { reducedMotion } from '../shared/settings.js';
import { _, names } from '../shared/texts.js';

/** @typedef {import('../connection/messages.js').View} View */

const SHOWN_MS = 1100;

/** @param {View} view */
export function raiseCurtain(view) {
  if (!view.arrow || reducedMotion() || document.visibilityState !== 'visible') return;
  const curtain = h(
    'div',
    { class: 'curtain', 'data-arrow': view.arrow, 'aria-hidden': 'true' },
    arrow(view.arrow),
    h('span', {}, _('Round %(round)s', { round: view.round })),
    h('b', {}, names().colours[view.arrow]),
  );
  document.body.append(curtain);
  setTimeout(() => curtain.remove(), SHOWN_MS);
}
