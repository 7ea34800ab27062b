// Keeps all files of the site, so that it works offline after the first visit. A new version replaces them as a whole, once no
// page uses the old one.

const VERSION = "";
const FILES = [];

/** The build of the engine for this browser; the other one is not kept. */
const ENGINE = new URL(location.href).searchParams.get("engine");
const KEPT = FILES.filter((name) => !name.endsWith(".wasm") || name === ENGINE);
const NAME = `zermelo-${new URL(registration.scope).pathname}`;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(`${NAME} ${VERSION}`).then((cache) => cache.addAll(KEPT.map((name) => new Request(name, { cache: "no-cache" })))));
});

addEventListener("activate", (event) => {
  const isOld = (key) => key.startsWith(`${NAME} `) && key !== `${NAME} ${VERSION}`;
  event.waitUntil(caches.keys().then((keys) => Promise.all(keys.filter(isOld).map((key) => caches.delete(key)))));
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const scope = new URL(registration.scope);
  if (event.request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const name = url.pathname.slice(scope.pathname.length) || "index.html";
  event.respondWith(caches.open(`${NAME} ${VERSION}`).then(async (cache) => (await cache.match(new URL(name, scope))) ?? fetch(event.request)));
});
