// What this browser makes of a string, next to the components that uriverse finds.

import { code, countCharacters, element, row, table, visible } from "./dom.js";
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
export function readAsURL(text, base) {
  try {
    const { href } = base ? new URL(text, base) : new URL(text);
    return { href, components: split(href) };
  } catch (error) {
    return { href: null, components: {}, error: error.message };
  }
}

/** Parse a string as the address of a link, `<a href>`. */
export function readAsLink(text, base) {
  if (base) {
    baseElement.setAttribute("href", base);
  } else {
    baseElement.removeAttribute("href");
  }
  anchor.setAttribute("href", text);
  // Without a base, a relative address has no meaning. The browser then returns it unchanged.
  const isParsed = anchor.protocol !== ":" && (base || readAsURL(text).href !== null);
  return isParsed ? { href: anchor.href, components: split(anchor.href) } : { href: null, components: {} };
}

const HEADINGS = {
  valid: "uriverse",
  repaired: "uriverse, after the repair",
  rejected: "Split at delimiters",
};

/** Show the comparison of all components, with the reasons of differences. */
export function comparison({ comparison: found, findings }, url, link) {
  // Both readings of the browser are the same, except in rare cases.
  const readings = url.href === link.href ? { "new URL() and <a href>": url } : { "new URL()": url, "<a href>": link };
  const rows = found.rows.map((item) =>
    row(
      { "data-part": item.component, class: `status-${item.status}` },
      item.component,
      shown(item.ours, item.length),
      ...Object.values(readings).map(({ components }) => shown(components[item.component])),
      reasons(item),
    ),
  );
  return [
    introduction(found, url),
    table("Comparison with the browser", ["Component", HEADINGS[found.status], ...Object.keys(readings), "Result"], rows),
    explanations(found.findings, new Set(findings.rows.map(({ code }) => code))),
  ];
}

function introduction(found, url) {
  const sentences = [];
  if (found.status === "rejected") {
    sentences.push(`uriverse rejects the string: ${found.problem.reason} (${found.problem.code}).`);
  } else if (found.status === "repaired") {
    sentences.push("The string is invalid. The table shows the repaired string.");
  }
  if (url.href === null) {
    sentences.push(`The browser rejects the string: ${url.error}.`);
  }
  const different = found.rows.filter((item) => item.status === "different").map((item) => item.component);
  if (different.length) {
    sentences.push(`The browser finds another ${LIST.format(different)}.`);
  } else if (url.href !== null) {
    sentences.push("The browser finds the same or equivalent components.");
  }
  return element("p", { class: "verdict" }, visible(sentences.join(" ")));
}

function shown(text, length = undefined) {
  if (text === undefined || text === null) {
    return element("span", { class: "hint" }, text === null ? "none" : "rejected");
  }
  const cut = [...text.slice(0, LONGEST)].join("");
  return code({ text: cut, length: length ?? countCharacters(text) });
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
