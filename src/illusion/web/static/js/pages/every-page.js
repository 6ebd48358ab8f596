// On every page: the settings, pictures in the viewer's palette, and forms that are sent once.
import { bindActions } from '../shared/actions.js';
import { bindForms } from '../shared/forms.js';
import { bindPictures } from '../shared/pictures.js';
import { bindSettings, openSettings } from '../shared/settings.js';

bindActions({ settings: openSettings });
bindForms();
bindPictures();
bindSettings();
