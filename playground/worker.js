// The worker that runs Python. It loads Pyodide and uriverse from this folder, and then answers one
// request after the other. Requests and answers are plain objects; between JavaScript and Python they
// are JSON, which keeps lone surrogates.

const FOLDER = new URL("python/", self.location.href);

/** Download the files of the manifest with a report of the progress, and start Python. */
async function start() {
  const manifest = await (await fetch(new URL("files.json", self.location.href))).json();
  const total = Object.values(manifest.sizes).reduce((sum, size) => sum + size, 0);
  reportDownloads(total);
  const { loadPyodide } = await import(new URL("pyodide.mjs", FOLDER));
  const [pyodide, ...packages] = await Promise.all([
    loadPyodide({
      indexURL: FOLDER.href,
      lockFileContents: manifest.lock,
      packageBaseUrl: FOLDER.href,
    }),
    ...manifest.packages.map(async (name) => {
      const response = await fetch(new URL(name, FOLDER));
      return response.arrayBuffer();
    }),
  ]);
  for (const archive of packages) {
    pyodide.unpackArchive(archive, "zip", { extractDir: "/packages" });
  }
  pyodide.runPython("import sys; sys.path.insert(0, '/packages')");
  const answers = pyodide.pyimport("answers");
  const uriverse = pyodide.pyimport("uriverse._uri.version");
  // The first request loads modules. Do that before the user types.
  for (const text of WARM_UP) {
    answers.answer_json(JSON.stringify({ ...REQUEST, text }));
  }
  answers.answer_json(JSON.stringify({ ...REQUEST, text: WARM_UP[1], edit: { kind: "repair" } }));
  return { answers, version: uriverse.__version__, pyodide: pyodide.version };
}

/** A valid and an invalid string that use most modules of the library. */
const WARM_UP = [
  "http://user@b\u00fccher.example:80/a%20b?c=%7e",
  "http://user@a.example:80/a b?c=%7e",
];

/** All parts but the last one: the libraries that it needs are imported when they are used. */
const PARTS = [
  ...["findings", "repair", "resolution", "comparison", "policy"],
  ...["normal", "forms", "segments", "params"],
];

const REQUEST = {
  parts: PARTS,
  base: "http://a/",
  profile: "web",
  browser: { href: null, components: {} },
};

/** Report how many bytes have been downloaded, after each part of a file. */
function reportDownloads(total) {
  const download = self.fetch.bind(self);
  let loaded = 0;
  self.fetch = async (...request) => {
    const response = await download(...request);
    // A copy, because the browser compiles WebAssembly faster from an original response.
    count(response.clone().body.getReader());
    return response;
  };

  async function count(reader) {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      loaded += value.byteLength;
      self.postMessage({ kind: "progress", loaded, total });
    }
  }
}

/**
 * Return a promise that is rejected if WebAssembly does not start.
 *
 * Pyodide only logs this, for example if the file is missing or cut off, and waits for ever.
 */
function failWithWebAssembly() {
  const instantiate = WebAssembly.instantiateStreaming.bind(WebAssembly);
  return new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = (...source) => {
      const instance = instantiate(...source);
      instance.catch((error) => reject(`pyodide.asm.wasm is missing or damaged (${error})`));
      return instance;
    };
  });
}

const started = performance.now();
const library = Promise.race([failWithWebAssembly(), start()]);
library.then(
  ({ version, pyodide }) => {
    const milliseconds = performance.now() - started;
    self.postMessage({ kind: "ready", version, pyodide, milliseconds });
  },
  (error) => self.postMessage({ kind: "failed", message: String(error) }),
);

self.addEventListener("message", async ({ data: request }) => {
  const { answers } = await library.catch(() => ({}));
  if (answers === undefined) {
    return;
  }
  try {
    const begun = performance.now();
    const answer = JSON.parse(answers.answer_json(JSON.stringify(request)));
    self.postMessage({ kind: "answer", answer, milliseconds: performance.now() - begun });
  } catch (error) {
    self.postMessage({ kind: "answer", answer: null, message: String(error) });
  }
});
