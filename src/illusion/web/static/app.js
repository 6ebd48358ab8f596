// On every page: the settings, and pictures in the viewer's palette.
import { doing } from './doing.js';
import './pictures.js';
import { panel } from './settings.js';

doing.settings = () => panel.showModal();
panel.addEventListener('click', ({ target }) => { if (target === panel) panel.close(); }); // beside it
