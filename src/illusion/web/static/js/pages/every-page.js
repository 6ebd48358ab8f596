// On every page: the settings, and pictures in the viewer's palette.
import { bindActions } from '../shared/actions.js';
import { bindPictures } from '../shared/pictures.js';
import { bindSettings, openSettings } from '../shared/settings.js';

bindActions({ settings: openSettings });
bindPictures();
bindSettings();
