// The replay of a finished game: by buttons, slider, keys, swipe, or automatically.
import { showIllusion } from '../draw/over.js';
import { colourBar } from '../draw/playing.js';
import { drawTable } from '../draw/table.js';
import { turnedRow } from '../draw/turned-row.js';
import { inWords, verdict } from '../draw/words.js';
import { $, $$, bindActions, closest, h, required } from '../shared/dom.js';
import { prepare } from '../shared/pictures.js';
import { addressOf, momentAt } from '../shared/server.js';
import { _, percent } from '../shared/texts.js';
import { bindLayout, glide } from '../table/layout.js';
import { readPage } from '../table/messages.js';
import { copy, say, send } from '../table/notices.js';
import { createState } from '../table/state.js';

/** @typedef {import('../table/messages.js').Colour} Colour */
/** @typedef {import('../table/messages.js').Happened} Happened */
/** @typedef {import('../table/messages.js').View} View */

/** @typedef {Record<string, Record<Colour, number>>} Shares by the addresses of cards */

/**
 * @typedef {object} Moment
 * @property {number} round
 * @property {number} move 0 at the beginning of a round
 * @property {Happened[]} happened
 * @property {View} view
 * @property {number[]} falls the places of all cards of the row with less than the one before
 */

/**
 * @typedef {object} Replay
 * @property {Moment[]} moments
 * @property {Shares} shares
 * @property {number[]} bots
 */

const SWIPE_PX = 50;

const page = readPage();
const state = createState(page);
const slider = () => required('#moment', HTMLInputElement);
const select = (/** @type {string} */ id) => required(`#${id}`, HTMLSelectElement);

/** @type {Replay} */
let replay = { moments: [], shares: {}, bots: [] };
/** @type {Shares | null} */
let saw = null;
let at = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let playing;

/** @param {string} path */
const ask = (path) => send(state, 'GET', path);

/** @param {number} next */
async function show(next) {
  const moment = replay.moments[Math.max(0, Math.min(next, replay.moments.length - 1))];
  if (!moment) return;
  at = replay.moments.indexOf(moment);
  const { view } = moment;
  await prepare([...view.row, ...(view.next_card ? [view.next_card] : [])]);
  if (replay.moments[at] !== moment) return; // another moment was chosen meanwhile
  glide(() => required('#state', HTMLElement).replaceWith(drawn(moment)));
  document.body.dataset.arrow = view.arrow ?? '';
  document.body.classList.toggle('in-play', view.phase === 'playing');
  slider().value = String(at);
  required('#where', HTMLOutputElement).value = _('Round %(round)s, move %(n)s', {
    round: moment.round,
    n: moment.move,
  });
  history.replaceState(null, '', addressOf(moment));
  say(
    ...inWords(view, { seq: 0, entry: '', at: 0, happened: moment.happened, cards_in_row: view.row.length }).map(
      ({ text }) => text,
    ),
  );
  required('#table', HTMLElement).dispatchEvent(new Event('settled'));
}

/** @param {Moment} moment */
function drawn(moment) {
  const { view } = moment;
  const me = select('seat').value === '' ? null : Number(select('seat').value);
  const section = drawTable(view, me);
  if (moment.happened.some((each) => each.event === 'row-doubted') && view.last_doubt) {
    const { last_doubt: doubt } = view;
    $('.board', section)?.replaceWith(
      h(
        'div',
        { class: 'turned-over' },
        h('div', { class: 'stage' }, turnedRow(view, doubt, me)),
        h('div', { class: 'verdict' }, verdict(view, doubt, me)),
      ),
    );
  } else showTruth(section, moment);
  if (view.phase === 'over' && view.arrow) section.prepend(colourBar(view.arrow));
  return section;
}

/**
 * Percentages on the cards, if chosen: the true ones, and a bot's estimates.
 * @param {HTMLElement} section
 * @param {Moment} moment
 */
function showTruth(section, { view, falls }) {
  const isTruth = required('#truth', HTMLInputElement).checked;
  const { arrow } = view;
  if (!arrow || (!isTruth && !saw)) return;
  const wrong = isTruth ? falls : [];
  for (const [place, cell] of $$('#row .cell:not(.far-end)', section).entries()) {
    const card = view.row[place] ?? '';
    cell.classList.toggle('falls', wrong.includes(place));
    const [share, seen] = [replay.shares[card]?.[arrow], saw?.[card]?.[arrow]];
    cell.append(
      h(
        'span',
        { class: 'truth' },
        isTruth && share !== undefined && h('b', {}, percent(share)),
        seen !== undefined && h('i', {}, _('saw %(share)s', { share: percent(seen) })),
      ),
    );
  }
}

function play() {
  const button = required('#play', HTMLButtonElement);
  const isOn = button.getAttribute('aria-pressed') !== 'true';
  clearTimeout(playing);
  button.setAttribute('aria-pressed', String(isOn));
  if (!isOn) return;
  if (at >= replay.moments.length - 1) at = -1;
  const step = async () => {
    await show(at + 1);
    if (at >= replay.moments.length - 1) return play();
    playing = setTimeout(step, Number(select('speed').value));
    return undefined;
  };
  step();
}

async function chooseBot() {
  const seat = select('saw').value;
  saw = seat === '' ? null : ((await ask(`saw/${seat}`))?.shares ?? null);
  if (!saw) select('saw').value = '';
  show(at);
}

/** @type {Record<string, () => unknown>} */
const KEYS = {
  ArrowLeft: () => show(at - 1),
  ArrowRight: () => show(at + 1),
  Home: () => show(0),
  End: () => show(replay.moments.length - 1),
  ' ': play,
};

function bind() {
  bindActions({
    back: () => show(at - 1),
    forward: () => show(at + 1),
    play,
    copy: () => copy(state, location.href),
    'show-illusion': showIllusion,
    menu: () => required('.top', HTMLElement).classList.toggle('open'),
  });
  slider().addEventListener('input', () => show(Number(slider().value)));
  select('seat').addEventListener('change', () => show(at));
  select('saw').addEventListener('change', chooseBot);
  required('#truth', HTMLInputElement).addEventListener('change', () => show(at));
  addEventListener('hashchange', () => show(momentAt(replay.moments, location.hash)));
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || closest(event, 'button, a, input, select, dialog')) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  let from = 0;
  const area = required('#table', HTMLElement);
  area.addEventListener('pointerdown', ({ clientX }) => {
    from = clientX;
  });
  area.addEventListener('pointerup', ({ clientX, pointerType }) => {
    if (pointerType !== 'mouse' && Math.abs(clientX - from) > SWIPE_PX) show(clientX < from ? at + 1 : at - 1);
  });
}

const answer = await ask('replay');
if (answer) {
  replay = /** @type {Replay} */ (answer);
  slider().max = String(replay.moments.length - 1);
  bind();
  await show(momentAt(replay.moments, location.hash));
  bindLayout();
}
