// Keeps the page for no connection at hand; that page asks until the server answers, and then opens what was wanted.
const { lang } = document.documentElement;
navigator.serviceWorker?.register(`/worker.js?language=${lang}`).catch(() => {}); // without one the browser says it its way

const lost = document.querySelector('[data-offline]');

async function ask() {
  const answer = await fetch('/offline', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return setTimeout(ask, 2000);
  lost.querySelector('[role=status]').textContent = lost.dataset.back;
  if (location.pathname === '/offline') return location.replace('/');
  return location.reload();
}

if (lost) {
  setTimeout(ask, 1000);
  addEventListener('online', ask);
}
