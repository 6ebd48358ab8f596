// The table on this page and the seats that are ours. The server sends everybody the same table; who we are is known here.
import { $, $$ } from '../shared/dom.js';

export const main = $('#table');
export const id = main.dataset.table;
export const held = main.dataset.held ? main.dataset.held.split(',').map(Number) : [];
export const texts = $('#texts').dataset;

export const state = () => $('#state');
export const seq = () => Number(state().dataset.seq);
export const mine = () => state().classList.contains('mine');
export const gaps = () => $$('.gap:enabled');
export const isMe = (seat) => held.length === 1 && held[0] === Number(seat);
