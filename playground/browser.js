// What this browser makes of a string, next to the components that uriverse finds.

import { divide } from "./divide.js";
import { code, element, label, row, showItems, table, visible } from "./dom.js";
import { findingLink } from "./rfc.js";

/** The number of characters of a component that the table shows. */
const LONGEST = 500;

const LIST = new Intl.ListFormat("en");

const STATUS = {
  same: "same",
  equivalent: "equivalent",
  encoded: "encoded differently",
  different: "different",
  rejected: "rejected",
};

// A document that is not shown, whose base URL can be changed. It loads nothing.
const elsewhere = document.implementation.createHTMLDocument("");
const baseElement = elsewhere.createElement("base");
const anchor = elsewhere.createElement("a");
elsewhere.head.append(baseElement);
elsewhere.body.append(anchor);

/** The host and port of a string without a host, as Python writes it too. */
export const NO_HOST = "(no host)";

/** Parse a string with `new URL`, and return the URL and its components, or the error. */
function readAsURL(text, base) {
  try {
    const { href, host } = base ? new URL(text, base) : new URL(text);
    return { href, target: host.toLowerCase() || NO_HOST, components: divide(href) };
  } catch (error) {
    return { href: null, target: null, components: {}, error: error.message };
  }
}

/** Parse a string as the address of a link, `<a href>`. */
function readAsLink(text, base, url) {
  if (base) {
    baseElement.setAttribute("href", base);
  } else {
    baseElement.removeAttribute("href");
  }
  anchor.setAttribute("href", text);
  // Without a base, a relative address has no meaning. The browser then returns it unchanged.
  if (anchor.protocol === ":" || (!base && url.href === null)) {
    return { href: null, components: {} };
  }
  return anchor.href === url.href ? url : { href: anchor.href, components: divide(anchor.href) };
}

let last = {};

/** Return both readings of a string, from `new URL` and from `<a href>`. */
export function readings(text, base) {
  if (last.text !== text || last.base !== base) {
    const url = readAsURL(text, base);
    last = { text, base, url, link: readAsLink(text, base, url) };
  }
  return last;
}

/** Return a reading without the characters that the table does not show. */
function cut({ href, components, error }) {
  const entries = Object.entries(components).map(([name, text]) => [
    name,
    text === null
      ? null
      : {
          text: text.slice(0, LONGEST).toWellFormed(),
          missing: Math.max(text.length - LONGEST, 0),
        },
  ]);
  return { rejected: href === null, error, components: Object.fromEntries(entries) };
}

/** Return what the comparison shows of the readings of the browser. */
export function shownReadings(text, base) {
  const { url, link } = readings(text, base);
  return url.href === link.href
    ? { "new URL() and <a href>": cut(url) }
    : { "new URL()": cut(url), "<a href>": cut(link) };
}

const HEADINGS = {
  valid: "uriverse",
  repaired: "uriverse, after the repair",
  rejected: "Split at delimiters",
};

/** The comparison of all components, with the reasons of differences. */
export class Comparison {
  #introduction = element("p", { class: "verdict" });
  #box = element("div");
  #explanations = element("div");
  #headings = [];

  constructor(section) {
    section.replaceChildren(this.#introduction, this.#box, this.#explanations);
  }

  /**
   * Show a comparison.
   *
   * @param found the comparison from Python
   * @param columns the readings of the browser, by the headings of their columns
   * @param listed the codes of the findings whose messages the page shows already
   */
  show(found, columns, listed) {
    const headings = ["Component", HEADINGS[found.status], ...Object.keys(columns), "Result"];
    if (headings.join() !== this.#headings.join()) {
      this.#headings = headings;
      this.#box.replaceChildren(table("Comparison with the browser", headings));
    }
    const readings = Object.values(columns);
    const items = found.rows.map((item) => ({
      ...item,
      theirs: readings.map(({ components }) => components[item.component]),
      isRejected: readings.map(({ rejected }) => rejected),
    }));
    showItems(this.#box.firstChild.tBodies[0], items, (item) => label(comparedRow(item), headings));
    this.#introduction.textContent = introduction(found, readings[0]);
    this.#explanations.replaceChildren(explanations(found.findings, listed));
  }
}

function comparedRow(item) {
  return row(
    { "data-part": item.component, class: `status-${item.status}` },
    item.component,
    shown(item.ours === null ? null : { text: item.ours, missing: item.missing }),
    ...item.theirs.map((component, index) => shown(component, item.isRejected[index])),
    reasons(item),
  );
}

function introduction(found, url) {
  const sentences = [];
  if (found.status === "rejected") {
    sentences.push(`uriverse rejects the string: ${found.problem.reason} (${found.problem.code}).`);
  } else if (found.status === "repaired") {
    sentences.push("The string is invalid. The table shows the repaired string.");
  }
  if (url.rejected) {
    sentences.push(`The browser rejects the string: ${url.error}.`);
  }
  const different = found.rows
    .filter((item) => item.status === "different")
    .map((item) => item.component);
  if (different.length) {
    sentences.push(`The browser finds another ${LIST.format(different)}.`);
  } else if (!url.rejected) {
    sentences.push("The browser finds the same or equivalent components.");
  }
  return visible(sentences.join(" "));
}

/** Show a component, which is `null` if it is undefined. */
function shown(component, isRejected = false) {
  return component
    ? code(component)
    : element("span", { class: "hint" }, isRejected ? "rejected" : "none");
}

function reasons(item) {
  const content = [element("span", { class: "status" }, STATUS[item.status])];
  if (item.reasons.length) {
    content.push(`: ${item.reasons.join(", ")}`);
  }
  for (const name of item.findings) {
    content.push(" ", findingLink(name));
  }
  if (item.status === "different" && !item.findings.length) {
    content.push(" (no finding explains this difference)");
  }
  return content;
}

/** List the messages of the findings that the table names, except for those in the list above. */
function explanations(found, listed) {
  const entries = Object.entries(found)
    .filter(([name]) => !listed.has(name))
    .flatMap(([name, message]) => [
      element("dt", {}, findingLink(name)),
      element("dd", {}, visible(message)),
    ]);
  return entries.length ? element("dl", {}, ...entries) : "";
}
