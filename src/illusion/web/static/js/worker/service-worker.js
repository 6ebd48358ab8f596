// Shows the offline page when the server cannot be reached. No page of the game is cached, so none can be out of date. The
// server defines constants above this line (declared in tests/js/worker.d.ts): VERSION, ROOT, the path under which the game
// is served, and PARTS, the files of the offline page. Other programs on the same origin may have caches, too.

const OURS = `illusion ${ROOT}/ `;
const CACHE = OURS + VERSION;
const PAGE = `${ROOT}/offline`;

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('install', (event) => event.waitUntil(store()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => instead(request)));
  else if (PARTS.includes(pathname)) event.respondWith(fetch(request).catch(() => stored(pathname)));
});

async function store() {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...PARTS].map((address) => new Request(address, { cache: 'reload' })));
  await worker.skipWaiting();
}

/** Deletes the caches of earlier versions. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * The response without a connection. A form leads to the home page: it must not be sent later.
 * @param {Request} request
 */
const instead = (request) => (request.method === 'GET' ? stored(PAGE) : Response.redirect(`${ROOT}/`, 303));

/** @param {string} address */
const stored = async (address) => (await caches.match(address)) ?? Response.error();
