// Keep the files of the page, so that it works without a network after the first visit.

/** Start the service worker. Browsers allow it only on https:// and on this machine. */
export async function keepOffline() {
  if ("serviceWorker" in navigator) {
    const address = new URL("service.js", import.meta.url);
    // Without it, the page works as long as there is a network.
    await navigator.serviceWorker.register(address).catch(() => {});
  }
}
