// The service worker. It stores the files of one build, and answers all requests of the page with
// them. A new build has another version, so the browser stores its files and deletes the old ones.

const VERSION = "development";

const PREFIX = "uriverse-playground-";
const FOLDER = new URL("./", self.location.href);

self.addEventListener("install", (event) => event.waitUntil(store()));
self.addEventListener("activate", (event) => event.waitUntil(clean()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(FOLDER.href)) {
    event.respondWith(answer(event.request));
  }
});

/** Store all files. If one is missing, the browser tries again on the next visit. */
async function store() {
  const manifest = await (await fetch(new URL("files.json", FOLDER))).json();
  const cache = await caches.open(PREFIX + VERSION);
  await cache.addAll(["./", ...manifest.files].map((name) => new URL(name, FOLDER)));
}

async function clean() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== PREFIX + VERSION) {
      await caches.delete(name);
    }
  }
}

async function answer(request) {
  const cache = await caches.open(PREFIX + VERSION);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
