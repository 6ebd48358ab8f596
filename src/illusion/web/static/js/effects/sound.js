// Two tones when it is our turn.
import { the } from '../shared/dom.js';
import { setting } from '../shared/settings.js';

/** @typedef {import('../table/state.js').TableState} TableState */

const TONES = [
  { pitch_hz: 523.25, after_s: 0 },
  { pitch_hz: 783.99, after_s: 0.14 },
];

/** @param {TableState} state */
export function chime({ audio }) {
  if (setting('sound') !== 'on' || audio?.state !== 'running') return;
  for (const { pitch_hz, after_s } of TONES) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = audio.currentTime + after_s;
    tone.frequency.value = pitch_hz;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.06, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0005, at + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.55);
  }
}

/** @param {TableState} state */
export function bindSound(state) {
  // Browsers allow sound only after a gesture.
  const wake = () => {
    if (setting('sound') !== 'on') return;
    state.audio ??= new AudioContext();
    state.audio.resume();
  };
  addEventListener('pointerdown', wake);
  addEventListener('keydown', wake);
  the('#settings', HTMLDialogElement).addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'sound') chime(state);
  });
}
