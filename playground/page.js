// The page: its fields, the requests to Python, and the sections that show the answers.

import { Comparison, readings, shownReadings } from "./browser.js";
import { element } from "./dom.js";
import { ParamTable, SegmentTable } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { NormalForm } from "./normal.js";
import { problem, read, write } from "./permalink.js";
import { Python } from "./python.js";
import * as results from "./results.js";

const find = (id) => document.getElementById(id);
const content = (id) => find(id).querySelector(".content");

const text = find("text");
const base = find("base");
const profile = find("profile");

/** How long the input must not change before screen readers hear a summary, in milliseconds. */
const PAUSE = 700;

const normalForm = new NormalForm(find("steps"), () => update());
const segments = new SegmentTable(content("segments"), apply);
const params = new ParamTable(content("params"), apply);
const anatomy = new results.Anatomy(content("anatomy"), select);
const comparison = new Comparison(content("browser"));

const python = new Python({
  progress(loaded, total) {
    find("progress").value = loaded / total;
    const [done, all] = [loaded, total].map((bytes) => (bytes / 1e6).toFixed(1));
    say(loaded < total ? `Loading Python: ${done} of ${all} MB` : "Starting Python");
  },
  ready({ version, pyodide, milliseconds }) {
    find("loading").hidden = true;
    versions = `uriverse ${version}, Pyodide ${pyodide}`;
    document.documentElement.dataset.ready = Math.round(milliseconds);
  },
  notLoaded(message) {
    report(`Python could not be loaded: ${message}. Reload the page to try it again.`);
  },
  failed(message) {
    report(`uriverse cannot show this input, because of an error in uriverse: ${message}`);
  },
  answered: show,
});

let isStarted = false;
let versions = "";
let summaryTimer = 0;
/** The edit that changed the input, until the changed input is shown. */
let lastEdit = null;

function report(message) {
  find("loading").hidden = false;
  find("progress").hidden = true;
  find("loading-text").className = "error-text";
  find("loading-text").setAttribute("role", "alert");
  say(message);
}

function say(message) {
  find("loading-text").textContent = message;
}

/** Load Python, and answer the current input when it is ready. */
function start() {
  if (!isStarted) {
    isStarted = true;
    find("progress").hidden = false;
    say("Loading Python");
    python.start();
    update();
  }
}

function input() {
  return { text: text.value, base: base.value, profile: profile.value, steps: normalForm.steps };
}

/** Ask Python about the input. */
function update() {
  python.ask(() => {
    const now = input();
    const { href, components } = readings(now.text, now.base).url;
    return { ...now, edit: null, browser: { href, components } };
  }, "update");
}

/** Ask Python to change the input. The answer contains the changed string. */
function apply(edit) {
  // While the user types in a field of a table, only the newest value counts. Other edits all count.
  const key = edit.kind.startsWith("set-") ? `${edit.kind} ${edit.index}` : edit;
  python.ask(() => ({ ...input(), edit, browser: null }), key);
}

/** Show an answer. */
function show(answer, request, times) {
  const received = performance.now();
  if (answer.text !== null) {
    // If the input has changed while Python was busy, the edit is obsolete.
    if (text.value === request.text) {
      text.value = answer.text;
      lastEdit = request.edit;
    }
    update();
    return;
  }
  find("results").hidden = false;
  const edit = request.edit ?? lastEdit;
  lastEdit = null;
  const valid = answer.error === null;
  const isResolved = answer.resolution?.target !== undefined;
  for (const [id, visible] of Object.entries({
    error: !valid,
    anatomy: valid,
    normal: valid,
    forms: valid,
    segments: valid,
    params: valid,
    resolution: valid && isResolved,
  })) {
    find(id).hidden = !visible;
  }
  text.setAttribute("aria-invalid", String(!valid));
  showBaseError(answer.resolution?.base_error ?? null);
  draw("findings", [answer.findings, request.profile], () =>
    results.findings(answer, request.profile, select),
  );
  if (valid) {
    showFigure(answer, request.text);
    anatomy.show(answer);
    draw("normal", answer.normal, () => normalForm.show(answer, apply));
    results.showForms(content("forms"), answer, apply);
    if (isNew("segments", [answer.segments, answer.edit_error])) {
      segments.show(answer, edit, answer.edit_error);
    }
    if (isNew("params", [answer.params, answer.edit_error])) {
      params.show(answer, edit, answer.edit_error);
    }
    if (isResolved) {
      draw("resolution", answer.resolution, () => results.resolution(answer, apply));
    }
  } else {
    draw("error", [answer.error, answer.repair], () => results.errorAndRepair(answer, apply));
  }
  find("browser").hidden = answer.comparison === null && request.edit === null;
  if (answer.comparison !== null) {
    const columns = shownReadings(request.text, request.base);
    const listed = new Set(answer.findings.rows.map(({ code }) => code));
    comparison.show(answer.comparison, columns, listed);
  }
  // A button that was pressed may be gone now. Keyboard users continue at the components.
  const focused = document.activeElement;
  if (edit !== null && (focused === document.body || !focused.checkVisibility())) {
    find("figure").focus({ preventScroll: true });
  }
  showTimes(answer, { ...times, received });
}

/** The data that each section shows, to draw a section only if its data changes. */
const known = new Map();

function isNew(id, data) {
  const key = JSON.stringify(data);
  const changed = known.get(id) !== key;
  known.set(id, key);
  return changed;
}

function draw(id, data, create) {
  if (isNew(id, data)) {
    content(id).replaceChildren(...create());
  }
}

/** The arguments of the figure, to draw it again when the width of the page changes. */
let figureShown = null;
let pageWidth = 0;

function showFigure(answer, string) {
  figureShown = { answer, string };
  drawFigure();
}

function drawFigure() {
  if (figureShown !== null && pageWidth > 0) {
    const available = Math.min(pageWidth, 1100) - 64;
    const { answer, string } = figureShown;
    if (isNew("figure", [answer.components, available])) {
      find("figure").replaceChildren(...results.drawFigure(answer, string, available));
    }
  }
}

function showBaseError(error) {
  find("base-error").hidden = error === null;
  find("base-error").textContent =
    error === null ? "" : `${error.reason}${error.hint ? `; ${error.hint}` : ""}`;
  base.setAttribute("aria-invalid", String(error !== null));
}

/** Show how long the update took, and summarize it for screen readers after a pause. */
function showTimes(answer, { begun, worker, received }) {
  const now = performance.now();
  const drawing = now - received;
  find("timing").textContent =
    `Python took ${worker.toFixed(1)} ms, and drawing ${drawing.toFixed(1)} ms. ${versions}.`;
  clearTimeout(summaryTimer);
  summaryTimer = setTimeout(() => {
    find("summary").textContent = results.summary(answer);
  }, PAUSE);
  const detail = { milliseconds: now - begun, worker, drawing, idle: python.isIdle };
  document.dispatchEvent(new CustomEvent("updated", { detail }));
}

/** Select a part of the input. Offsets are in code points. */
function select(from, to) {
  text.focus();
  text.setSelectionRange(results.utf16(text.value, from), results.utf16(text.value, to));
}

/** Put an input into the fields. */
function load({
  text: newText,
  base: newBase = "",
  profile: newProfile = profile.value,
  steps = null,
}) {
  text.value = newText;
  base.value = newBase;
  profile.value = newProfile;
  if (profile.selectedIndex < 0) {
    profile.value = "generic";
  }
  if (steps !== null) {
    normalForm.steps = steps;
  }
  find("link-note").textContent = "";
  start();
  update();
}

function loadFromLink() {
  const linked = read(location.hash);
  if (linked !== null) {
    load(linked);
  }
}

async function copyLink() {
  const now = input();
  const note = problem(now);
  if (note !== null) {
    find("link-note").textContent = note;
    return;
  }
  history.replaceState(null, "", write(now));
  try {
    await navigator.clipboard.writeText(location.href);
    find("link-note").textContent = "Copied. The link contains the whole input, secrets included.";
  } catch {
    find("link-note").textContent =
      "The link is in the address bar. It contains the whole input, secrets included.";
  }
}

/** Highlight a component in all sections. */
function highlight(event) {
  const part = event.target.closest?.("[data-part]")?.dataset.part ?? "";
  if (find("results").dataset.active !== part) {
    find("results").dataset.active = part;
  }
}

for (const example of EXAMPLES) {
  const button = element(
    "button",
    { type: "button", title: example.text, onclick: () => load(example) },
    example.title,
  );
  find("examples").append(element("li", {}, button));
}
for (const field of [text, base, profile]) {
  field.addEventListener("focus", start);
  field.addEventListener("input", update);
}
find("form").addEventListener("submit", (event) => event.preventDefault());
find("copy-link").addEventListener("click", copyLink);
for (const kind of ["pointerover", "focusin"]) {
  find("results").addEventListener(kind, highlight);
}
find("results").addEventListener("pointerleave", highlight);
find("figure").addEventListener("click", (event) => {
  const part = event.target.closest("[data-part]")?.dataset.part;
  const found = figureShown.answer.components.find((component) => component.name === part);
  if (found) {
    select(found.start, found.end);
  }
});
// Reading the width at another time would compute the layout of the page once more.
new ResizeObserver(([{ contentRect }]) => {
  if (pageWidth !== contentRect.width) {
    pageWidth = contentRect.width;
    drawFigure();
  }
}).observe(document.documentElement);
addEventListener("hashchange", loadFromLink);
loadFromLink();
