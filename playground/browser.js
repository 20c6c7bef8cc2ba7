// What this browser makes of a string, next to the components that uriverse finds.

import { code, element, row, table, visible } from "./dom.js";
import { findingLink } from "./rfc.js";

const COMPONENTS = ["scheme", "userinfo", "host", "port", "path", "query", "fragment"];

/** The regular expression of RFC 3986, Appendix B. It matches any string. */
const SPLIT = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

const AUTHORITY = /^(?:(.*)@)?(.*?)(?::(\d*))?$/s;

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

/** Split the URL of a browser. Its undefined components are null. */
function split(href) {
  const [, scheme, authority, path, query, fragment] = SPLIT.exec(href);
  const [, userinfo, host, port] = authority === undefined ? [] : AUTHORITY.exec(authority);
  const components = { scheme, userinfo, host, port, path, query, fragment };
  return Object.fromEntries(COMPONENTS.map((name) => [name, components[name] ?? null]));
}

// A document that is not shown, whose base URL can be changed. It loads nothing.
const elsewhere = document.implementation.createHTMLDocument("");
const baseElement = elsewhere.createElement("base");
const anchor = elsewhere.createElement("a");
elsewhere.head.append(baseElement);
elsewhere.body.append(anchor);

/** Parse a string with `new URL`, and return the URL and its components, or the error. */
function readAsURL(text, base) {
  try {
    const { href } = base ? new URL(text, base) : new URL(text);
    return { href, components: split(href) };
  } catch (error) {
    return { href: null, components: {}, error: error.message };
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
  return anchor.href === url.href ? url : { href: anchor.href, components: split(anchor.href) };
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
    text === null ? null : { text: text.slice(0, LONGEST).toWellFormed(), missing: Math.max(text.length - LONGEST, 0) },
  ]);
  return { rejected: href === null, error, components: Object.fromEntries(entries) };
}

/** Return what the comparison shows of the readings of the browser. */
export function shownReadings(text, base) {
  const { url, link } = readings(text, base);
  return url.href === link.href ? { "new URL() and <a href>": cut(url) } : { "new URL()": cut(url), "<a href>": cut(link) };
}

const HEADINGS = {
  valid: "uriverse",
  repaired: "uriverse, after the repair",
  rejected: "Split at delimiters",
};

/**
 * Show the comparison of all components, with the reasons of differences.
 *
 * @param found the comparison from Python
 * @param columns the readings of the browser, by the headings of their columns
 * @param listed the codes of the findings whose messages the page shows already
 */
export function comparison(found, columns, listed) {
  const rows = found.rows.map((item) =>
    row(
      { "data-part": item.component, class: `status-${item.status}` },
      item.component,
      shown(item.ours === null ? null : { text: item.ours, missing: item.missing }),
      ...Object.values(columns).map(({ components }) => shown(components[item.component])),
      reasons(item),
    ),
  );
  const [url] = Object.values(columns);
  return [
    introduction(found, url),
    table("Comparison with the browser", ["Component", HEADINGS[found.status], ...Object.keys(columns), "Result"], rows),
    explanations(found.findings, listed),
  ];
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
  const different = found.rows.filter((item) => item.status === "different").map((item) => item.component);
  if (different.length) {
    sentences.push(`The browser finds another ${LIST.format(different)}.`);
  } else if (!url.rejected) {
    sentences.push("The browser finds the same or equivalent components.");
  }
  return element("p", { class: "verdict" }, visible(sentences.join(" ")));
}

/** Show a component; `null` if it is undefined, `undefined` if the string is rejected. */
function shown(component) {
  return component ? code(component) : element("span", { class: "hint" }, component === null ? "none" : "rejected");
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
    .flatMap(([name, message]) => [element("dt", {}, findingLink(name)), element("dd", {}, visible(message))]);
  return entries.length ? element("dl", {}, ...entries) : "";
}
