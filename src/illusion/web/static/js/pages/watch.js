// The shared screen: the same table, as large as it fits, with nothing to press.
import { bindReveal } from '../draw/reveal.js';
import { follow } from '../table/following.js';
import { addLiveRegions } from '../table/notices.js';
import { start } from '../table/render.js';

const state = start({ shared: true });
addLiveRegions();
bindReveal(state);
follow(state);
navigator.wakeLock?.request('screen').catch(() => {}); // a television should stay on during the game
