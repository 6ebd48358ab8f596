// Synthesized sounds: a card is laid, it is our turn, its time runs out, somebody doubts, a share is counted (its pitch rises
// with the share), the row falls, the game is over. In the last seconds of our turn the clock pulses, too, and a phone shakes.
import { $, required } from '../shared/dom.js';
import { reducedMotion, setting } from '../shared/settings.js';
import { elapsed_s, isMyTurn } from './state.js';

/** @typedef {import('./state.js').TableState} TableState */

/**
 * One tone.
 * @typedef {object} Tone
 * @property {number} hz
 * @property {number} [to_hz] where it glides to
 * @property {number} [after_s]
 * @property {number} [lasts_s]
 * @property {number} [loud]
 * @property {OscillatorType} [wave]
 */

const VOLUMES = { off: 0, quiet: 0.35, on: 1 };

/** @type {Record<'tick' | 'turn' | 'laid' | 'doubt' | 'fall' | 'right' | 'arrow' | 'won', Tone[]>} */
const SOUNDS = {
  tick: [{ hz: 1318.5, lasts_s: 0.07, loud: 0.8, wave: 'triangle' }],
  turn: [{ hz: 523.25 }, { hz: 783.99, after_s: 0.14 }],
  laid: [{ hz: 190, to_hz: 120, lasts_s: 0.09, loud: 1.4, wave: 'triangle' }],
  doubt: [
    { hz: 110, to_hz: 55, lasts_s: 0.4, loud: 2.2, wave: 'triangle' },
    { hz: 82, to_hz: 45, lasts_s: 0.5, loud: 1.6 },
  ],
  fall: [
    { hz: 233.08, to_hz: 174.61, lasts_s: 0.5, loud: 1.5, wave: 'triangle' },
    { hz: 155.56, to_hz: 110, after_s: 0.18, lasts_s: 0.7, loud: 1.5, wave: 'triangle' },
  ],
  right: [{ hz: 659.25 }, { hz: 783.99, after_s: 0.12 }, { hz: 1046.5, after_s: 0.24, lasts_s: 0.8 }],
  arrow: [
    { hz: 392, to_hz: 784, lasts_s: 0.28, loud: 1.2, wave: 'triangle' },
    { hz: 1174.66, after_s: 0.26, lasts_s: 0.7, loud: 1.3 },
    { hz: 1567.98, after_s: 0.34, lasts_s: 0.9 },
  ],
  won: [
    { hz: 523.25, lasts_s: 0.3 },
    { hz: 659.25, after_s: 0.16, lasts_s: 0.3 },
    { hz: 783.99, after_s: 0.32, lasts_s: 0.3 },
    { hz: 1046.5, after_s: 0.48, lasts_s: 1.1, loud: 1.2 },
  ],
};

const LOWEST_HZ = 330;
const OCTAVES = 1.6; // from a share of 0 to one of 60 percent

/** @typedef {keyof typeof SOUNDS} Sound */

const MOST_WAITING = 8; // tones, while a call or a locked screen suspends sound

/**
 * @param {TableState} state
 * @param {Sound} name
 */
export const play = (state, name) => tones(state, SOUNDS[name]);

/**
 * The tone for a share; the pitch rises with the share.
 * @param {TableState} state
 * @param {number} share in percent
 */
export const pling = (state, share) => tones(state, [{ hz: LOWEST_HZ * 2 ** ((OCTAVES * share) / 60), lasts_s: 0.35 }]);

/**
 * @param {TableState} state
 * @param {Tone[]} sound
 */
function tones(state, sound) {
  const { audio } = state;
  const volume = VOLUMES[/** @type {keyof typeof VOLUMES} */ (setting('sound'))] ?? 0;
  if (!volume || !audio || (audio.state !== 'running' && state.sounding >= MOST_WAITING)) return;
  audio.resume().catch(() => {});
  for (const { hz, to_hz = hz, after_s = 0, lasts_s = 0.5, loud = 1, wave = 'sine' } of sound) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    const at = audio.currentTime + after_s;
    tone.type = wave;
    tone.frequency.setValueAtTime(hz, at);
    tone.frequency.exponentialRampToValueAtTime(to_hz, at + lasts_s);
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(0.06 * loud * volume, at + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.0004, at + lasts_s);
    tone.connect(gain).connect(audio.destination);
    state.sounding += 1;
    tone.onended = () => {
      state.sounding -= 1;
      rest(state);
    };
    tone.start(at);
    tone.stop(at + lasts_s + 0.05);
  }
}

/**
 * Suspends audio when no tone plays: silence costs a phone's battery as much as sound.
 * @param {TableState} state
 */
function rest({ audio, sounding }) {
  if (!sounding) audio?.suspend();
}

/** @param {TableState} state */
export function bindSound(state) {
  // Browsers allow sound only after a gesture, and from then on.
  const wake = () => {
    if (setting('sound') === 'off' || (state.audio && !state.sounding)) return;
    state.audio ??= new AudioContext();
    state.audio.resume().then(
      () => rest(state),
      () => {},
    );
  };
  addEventListener('pointerdown', wake);
  addEventListener('keydown', wake);
  required('#settings', HTMLDialogElement).addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'sound') play(state, 'turn');
  });
}

export const LAST_S = 5;
const LONGEST_S = 3600; // between two looks: slow tables have days
const SHAKE_MS = 30;
const LATE_MS = 20; // so that a second has surely passed

/**
 * Whole seconds that are left of our turn, and when to look again; null if nobody hurries us.
 * @param {TableState} state
 * @param {number} now_ms
 */
export function secondsLeft(state, now_ms) {
  const { clock } = state.view;
  if (clock === null || !isMyTurn(state)) return null;
  const left_s = clock - elapsed_s(state, state.view, now_ms);
  const next_s = left_s > LAST_S ? Math.min(left_s - LAST_S, LONGEST_S) : left_s - Math.ceil(left_s) + 1;
  return { left: Math.max(Math.ceil(left_s), 0), next_ms: next_s * 1000 + LATE_MS };
}

/** @param {TableState} state */
export function bindHurry(state) {
  const look = () => {
    clearTimeout(state.timers.hurry);
    const found = secondsLeft(state, Date.now());
    const hurries = found !== null && found.left > 0 && found.left <= LAST_S && !$('#reveal[open]');
    $('#state')?.classList.toggle('hurry', hurries);
    if (!found?.left) return;
    if (hurries) warn(state);
    state.timers.hurry = setTimeout(look, found.next_ms);
  };
  required('#table', HTMLElement).addEventListener('settled', look);
  look();
}

/** @param {TableState} state */
function warn(state) {
  play(state, 'tick');
  if (!reducedMotion()) navigator.vibrate?.(SHAKE_MS);
}
