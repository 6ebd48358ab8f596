// Two tones when it is our turn.
import { setting } from '../shared/settings.js';

let audio;
const wake = () => { if (setting('sound') === 'on') { audio ??= new AudioContext(); audio.resume(); } }; // browsers want a gesture first
addEventListener('pointerdown', wake);
addEventListener('keydown', wake);

export function chime() {
  if (setting('sound') !== 'on' || audio?.state !== 'running') return;
  [[523.25, 0], [783.99, 0.14]].forEach(([pitch, after]) => {
    const [tone, loud, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + after];
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(0.06, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0005, at + 0.5);
    tone.connect(loud).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.55);
  });
}
document.querySelector('#settings')?.addEventListener('change', ({ target }) => { if (target.name === 'sound') chime(); });
