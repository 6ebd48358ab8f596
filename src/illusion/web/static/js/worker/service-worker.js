// Shows one kept page when the server cannot be reached. No page of the game is ever kept, so none is ever stale.
// The server writes VERSION and PARTS, what that page is made of, above this line.
const KEPT = `offline-${VERSION}`;
const PAGE = '/offline';

self.addEventListener('install', (event) => {
  const fresh = [PAGE, ...PARTS].map((address) => new Request(address, { cache: 'reload' }));
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const others = (names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(others).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === 'navigate') {
    const instead = () => (request.method === 'GET' ? caches.match(PAGE) : Response.redirect('/', 303));
    event.respondWith(fetch(request).catch(instead));
  } else if (PARTS.includes(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(pathname)));
  }
});
