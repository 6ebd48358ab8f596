// Dragging the next card to a gap. A mouse places it there; a finger is less sure, so there the gap is only chosen.
import { $ } from './dom.js';
import { busy, choose, place, takeBack } from '../table/placing.js';
import { gaps, main, mine } from '../table/state.js';

export let drag = null;
export let pointer = 'mouse';
let dragged = false; // the click that ends a drag is no press
export const wasDragged = () => { const was = dragged; dragged = false; return was; };

main.addEventListener('pointerdown', (down) => {
  pointer = down.pointerType || 'mouse';
  dragged = false;
  const source = down.target.closest('#next');
  if (!source || !mine() || busy || down.button !== 0) return;
  const card = $('.card', source);
  const box = card.getBoundingClientRect();
  let clone = null;
  let over = null;
  let sideways = 0;
  let frame = 0;
  const glide = () => { const scroller = $('#scroller'); if (sideways && scroller) scroller.scrollLeft += sideways; frame = requestAnimationFrame(glide); };
  const moved = (at) => {
    if (!clone) {
      if (Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) < 8) return;
      dragged = true;
      takeBack();
      clone = card.cloneNode();
      clone.className = 'card dragged';
      clone.style.width = `${Math.min(box.width, 150)}px`;
      document.body.append(clone);
      document.body.classList.add('dragging');
      card.classList.add('lifted');
      $('#scroller').style.scrollSnapType = 'none';
      glide();
    }
    const size = clone.getBoundingClientRect();
    const lift = pointer === 'touch' ? 0.8 : 0.5;
    clone.style.transform = `translate(${at.clientX - size.width / 2}px, ${at.clientY - size.height * lift}px)`;
    const view = $('#scroller').getBoundingClientRect();
    const near = at.clientY > view.top - 60 && at.clientY < view.bottom + 40;
    sideways = !near ? 0 : at.clientX < view.left + 50 ? -9 : at.clientX > view.right - 50 ? 9 : 0;
    const distance = (gap) => { const edge = gap.getBoundingClientRect(); return Math.abs(edge.left + edge.width / 2 - at.clientX); };
    const best = near ? gaps().reduce((a, b) => (distance(a) <= distance(b) ? a : b)) : null;
    if (best !== over) { over?.classList.remove('over'); best?.classList.add('over'); over = best; }
  };
  const end = () => {
    cancelAnimationFrame(frame);
    controller.abort();
    clone?.remove();
    over?.classList.remove('over');
    document.body.classList.remove('dragging');
    card.classList.remove('lifted');
    if ($('#scroller')) $('#scroller').style.scrollSnapType = '';
    drag = null;
  };
  const controller = new AbortController();
  const { signal } = controller;
  drag = { cancel: end };
  addEventListener('pointermove', moved, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener('pointerup', () => {
    const target = over && Number(over.dataset.gap);
    end();
    if (target === null) return;
    choose(target);
    if (pointer === 'mouse') place();
  }, { signal });
});
main.addEventListener('dragstart', (event) => event.preventDefault());
