// The page: its fields, the requests to Python, and the sections that show the answers.

import { Comparison, readings, shownReadings } from "./browser.js";
import { element } from "./dom.js";
import { ParamTable, SegmentTable } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { loadPrograms } from "./hosts.js";
import { NormalForm } from "./normal.js";
import { keepOffline } from "./offline.js";
import { problem, read, write } from "./permalink.js";
import { decision } from "./policy.js";
import { Python } from "./python.js";
import * as results from "./results.js";
import { utf16, Verdict } from "./verdict.js";

const find = (id) => document.getElementById(id);
const content = (id) => find(id).querySelector(".content");

const text = find("text");
const base = find("base");
const profile = find("profile");
const allow = find("allow");
const deny = find("deny");

/** How long the input must not change before screen readers hear a summary, in milliseconds. */
const PAUSE = 700;

/** From this length on, Python is asked for each part separately, so that the first ones show soon. */
const LONG = 20_000;

/** How long the page waits for an answer before it draws what is known without Python, in milliseconds. */
const WAIT = 50;

/** The parts of an answer that the page always shows, besides `LAST`. */
const ALWAYS = ["findings", "resolution"];

/** The part that is asked for separately until Python has imported the libraries. */
const LAST = "destinations";

/** The sections that can be opened, and the part of an answer that each shows. */
const SECTIONS = {
  error: "repair",
  anatomy: null,
  findings: "findings",
  browser: "comparison",
  policy: "policy",
  normal: "normal",
  forms: "forms",
  resolution: "resolution",
  segments: "segments",
  params: "params",
};

/** The sections that only valid strings have. */
const OF_VALID = ["normal", "forms", "segments", "params"];

const normalForm = new NormalForm(find("steps"), () => update());
const segments = new SegmentTable(content("segments"), apply);
const params = new ParamTable(content("params"), apply);
const anatomy = new results.Anatomy(content("anatomy"), select);
const comparison = new Comparison(content("browser"));
const verdict = new Verdict(find("verdict"));

const python = new Python({
  progress(loaded, total) {
    if (find("progress").hidden) {
      // A download has failed, while others continue.
      return;
    }
    find("progress").value = loaded / total;
    const [done, all] = [loaded, total].map((bytes) => (bytes / 1e6).toFixed(1));
    say(loaded < total ? `Loading Python: ${done} of ${all} MB` : "Starting Python");
  },
  ready({ version, pyodide, milliseconds }) {
    find("loading").hidden = true;
    versions = `uriverse ${version}, Pyodide ${pyodide}`;
    isReady = true;
    document.documentElement.dataset.ready = Math.round(milliseconds);
    keepOffline();
  },
  notLoaded(message) {
    report(`Python could not be loaded: ${message}. Reload the page to try it again.`);
  },
  failed(message) {
    report(`uriverse cannot show this input, because of an error in uriverse: ${message}`);
  },
  answered: show,
});

let versions = "";
/** Whether Python has started. */
let isReady = false;
/** Whether Python has imported the libraries to compare. */
let hasLibraries = false;
/** The timer that draws what is known without Python, or null. */
let drawTimer = null;
let summaryTimer = 0;
/** The edit that changed the input, until the changed input is shown. */
let lastEdit = null;
/** The parts of the answer to the current input. */
let current = {};

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

function input() {
  return {
    text: text.value,
    base: base.value,
    profile: profile.value,
    steps: normalForm.steps,
    policy: { allow: allow.value, deny: deny.value },
  };
}

/** Ask Python about the input, and show what is known without Python if the answer takes a while. */
function update() {
  current = {};
  const open = Object.keys(SECTIONS).filter((id) => find(id).open);
  const shown = [...ALWAYS, ...open.map((id) => SECTIONS[id]), hasRules() ? "policy" : null];
  const parts = [...new Set(shown.filter(Boolean))];
  const isLong = text.value.length >= LONG;
  if (isReady && !isLong) {
    // Python answers within milliseconds. Drawing twice would delay the answer.
    drawTimer ??= setTimeout(drawKnown, WAIT);
  } else {
    drawKnown();
  }
  const groups = isLong ? [[], ...parts.map((part) => [part])] : [parts];
  if (isLong || !hasLibraries) {
    groups.push([LAST]);
  } else {
    // One request is faster than two, because each one waits for both threads.
    parts.push(LAST);
  }
  groups.forEach((group, index) => ask(group, `update ${index}`));
}

/** Return whether the user has written rules of a policy. */
function hasRules() {
  return Boolean(allow.value.trim() || deny.value.trim());
}

/** Draw what is known without Python, and mark the sections that wait for an answer. */
function drawKnown() {
  stopWaiting();
  verdict.show(text.value, base.value, current);
  for (const id of Object.keys(SECTIONS)) {
    find(id).dataset.stale = "";
  }
}

function stopWaiting() {
  clearTimeout(drawTimer);
  drawTimer = null;
}

/** Ask Python about parts of the current input. */
function ask(parts, key) {
  python.ask(() => {
    const now = input();
    const { href, components } = parts.includes("comparison")
      ? readings(now.text, now.base).url
      : { href: null, components: {} };
    return { ...now, parts, browser: { href, components } };
  }, key);
}

/** Ask for the part that a section shows when it is opened. */
function opened(id) {
  const part = SECTIONS[id];
  if (find(id).open && part !== null && !(part in current)) {
    ask([part], `open ${part}`);
  }
}

/** Ask Python to change the input. The answer contains the changed string. */
function apply(edit) {
  // While the user types in a field of a table, only the newest value counts. Other edits all count.
  const key = edit.kind.startsWith("set-") ? `${edit.kind} ${edit.index}` : edit;
  python.ask(() => ({ ...input(), edit }), key);
}

/** Show an answer, or a part of it. */
function show(answer, request, times) {
  const received = performance.now();
  if (request.edit) {
    showEdit(answer, request);
    return;
  }
  if (request.text !== text.value) {
    // A newer request is waiting.
    return;
  }
  find("sections").hidden = false;
  hasLibraries ||= LAST in answer;
  Object.assign(current, answer, { hasRules: hasRules() });
  const valid = answer.error === null;
  for (const id of OF_VALID) {
    find(id).hidden = !valid;
  }
  find("error").hidden = valid;
  text.setAttribute("aria-invalid", String(!valid));
  stopWaiting();
  verdict.show(text.value, base.value, current);
  drawParts(answer, request);
  // A button that was pressed may be gone now. Keyboard users continue at the components.
  const focused = document.activeElement;
  if (lastEdit !== null && (focused === document.body || !focused.checkVisibility())) {
    find("figure").focus({ preventScroll: true });
  }
  if (python.isIdle) {
    lastEdit = null;
  }
  showTimes({ ...times, received });
}

/** Show the string after an edit, or the reason why the edit is not possible. */
function showEdit(answer, request) {
  segments.showProblem(request.edit, answer.edit_error);
  params.showProblem(request.edit, answer.edit_error);
  // If the input has changed while Python was busy, the edit is obsolete.
  if (answer.text !== null && text.value === request.text) {
    text.value = answer.text;
    lastEdit = request.edit;
    update();
  }
  document.dispatchEvent(new CustomEvent("updated", { detail: { idle: python.isIdle } }));
}

/** Draw the sections whose parts are in an answer. */
function drawParts(answer, request) {
  const drawn = {
    anatomy: () => anatomy.show(answer),
    repair: () =>
      answer.error &&
      draw("error", [answer.error, answer.repair], () => results.errorAndRepair(answer, apply)),
    findings: () =>
      draw("findings", [answer.findings, request.profile], () =>
        results.findings(answer, request.profile, select),
      ),
    comparison: () => showComparison(answer, request),
    policy: () => draw("policy", answer.policy, () => decision(answer.policy)),
    resolution: () => showResolution(answer),
    normal: () =>
      answer.normal && draw("normal", answer.normal, () => normalForm.show(answer, apply)),
    forms: () => answer.forms && results.showForms(content("forms"), answer, apply),
    segments: () => {
      if (answer.segments && isNew("segments", answer.segments)) {
        segments.show(answer, lastEdit);
      }
    },
    params: () => {
      if (answer.params && isNew("params", answer.params)) {
        params.show(answer, lastEdit);
      }
    },
  };
  for (const [id, part] of Object.entries(SECTIONS)) {
    if (part === null || part in answer) {
      drawn[part ?? id]();
      delete find(id).dataset.stale;
    }
  }
}

function showResolution({ resolution }) {
  const isResolved = resolution?.target !== undefined;
  find("resolution").hidden = !isResolved;
  showBaseError(resolution?.base_error ?? null);
  if (isResolved) {
    draw("resolution", resolution, () => results.resolution({ resolution }, apply));
  }
}

function showComparison(answer, request) {
  find("browser-note").hidden = answer.comparison !== null;
  content("browser").hidden = answer.comparison === null;
  if (answer.comparison !== null) {
    const columns = shownReadings(request.text, request.base);
    const listed = new Set((current.findings?.rows ?? []).map(({ code }) => code));
    comparison.show(answer.comparison, columns, listed);
  }
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

function showBaseError(error) {
  find("base-error").hidden = error === null;
  find("base-error").textContent =
    error === null ? "" : `${error.reason}${error.hint ? `; ${error.hint}` : ""}`;
  base.setAttribute("aria-invalid", String(error !== null));
}

/** Show how long the update took, and summarize it for screen readers after a pause. */
function showTimes({ begun, worker, received }) {
  const now = performance.now();
  const drawing = now - received;
  find("timing").textContent =
    `Python took ${worker.toFixed(1)} ms, and drawing ${drawing.toFixed(1)} ms. ${versions}.`;
  clearTimeout(summaryTimer);
  summaryTimer = setTimeout(() => {
    if ("findings" in current) {
      const hosts = find("host-sentence").textContent;
      find("summary").textContent = `${results.summary(current)}. ${hosts}`;
    }
  }, PAUSE);
  const detail = { milliseconds: now - begun, finished: now, worker, drawing, idle: python.isIdle };
  document.dispatchEvent(new CustomEvent("updated", { detail }));
}

/** Select a part of the input. Offsets are in code points. */
function select(from, to) {
  text.focus();
  text.setSelectionRange(utf16(text.value, from), utf16(text.value, to));
}

/** Put an input into the fields. */
function load({ steps = null, policy = { allow: "", deny: "" }, ...fields }) {
  text.value = fields.text;
  base.value = fields.base ?? "";
  profile.value = fields.profile ?? profile.value;
  if (profile.selectedIndex < 0) {
    profile.value = "generic";
  }
  if (steps !== null) {
    normalForm.steps = steps;
  }
  allow.value = policy.allow;
  deny.value = policy.deny;
  find("options").open ||= Boolean(base.value);
  find("policy").open ||= Boolean(allow.value || deny.value);
  find("link-note").textContent = "";
  update();
}

/** Load the input of a link. */
function loadFromLink() {
  const linked = read(location.hash);
  if (linked !== null) {
    load(linked);
  }
  return linked !== null;
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

for (const [kind, list] of Object.entries(EXAMPLES)) {
  for (const example of list) {
    const button = element(
      "button",
      { type: "button", title: example.text, onclick: () => load(example) },
      example.title,
    );
    find(`examples-${kind}`).append(element("li", {}, button));
  }
}
for (const field of [text, base, profile, allow, deny]) {
  field.addEventListener("input", update);
}
for (const id of Object.keys(SECTIONS)) {
  find(id).addEventListener("toggle", () => opened(id));
}
find("form").addEventListener("submit", (event) => event.preventDefault());
find("copy-link").addEventListener("click", copyLink);
for (const kind of ["pointerover", "focusin"]) {
  find("results").addEventListener(kind, highlight);
}
find("results").addEventListener("pointerleave", highlight);
find("figure").addEventListener("click", (event) => {
  const part = event.target.closest("[data-part]")?.dataset.part;
  const shown = current.components?.find(({ name }) => name === part);
  if (shown) {
    select(shown.start, shown.end);
  }
});
// Reading the width at another time would compute the layout of the page once more.
new ResizeObserver(([{ contentRect }]) => {
  verdict.width = contentRect.width;
}).observe(find("figure"));

// On a phone, only the first section is open.
if (matchMedia("(min-width: 46rem)").matches) {
  for (const id of ["anatomy", "findings", "error", "stored"]) {
    find(id).open = true;
  }
}
find("not-started").remove();
find("results").hidden = false;
addEventListener("hashchange", loadFromLink);
if (!loadFromLink()) {
  load(EXAMPLES.attacks[0]);
}
loadPrograms().then(() => verdict.show(text.value, base.value, current));
python.start();
