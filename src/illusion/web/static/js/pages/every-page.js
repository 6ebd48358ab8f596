// On every page: the settings, and pictures in the viewer's palette.
import { doing } from '../shared/actions.js';
import '../shared/pictures.js';
import { panel } from '../shared/settings.js';

doing.settings = () => panel.showModal();
panel.addEventListener('click', ({ target }) => { if (target === panel) panel.close(); }); // beside it
