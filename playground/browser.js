// What this browser makes of a string, next to the components that uriverse finds.

import { code, countCharacters, element, row, table, visible } from "./dom.js";
import { findingLink } from "./rfc.js";

const COMPONENTS = ["scheme", "userinfo", "host", "port", "path", "query", "fragment"];

/** The regular expression of RFC 3986, Appendix B. It matches any string. */
const SPLIT = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

const AUTHORITY = /^(?:(.*)@)?(.*?)(?::(\d*))?$/s;

/** The number of characters of a component that the table shows. */
const LONGEST = 500;

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

/** Show the comparison of all components, with the reasons of differences. */
export function comparison({ comparison: found }, url, link) {
  if (found === null) {
    return [];
  }
  const content = [introduction(found, url)];
  if (url.href === null && found.status === "rejected") {
    return [...content, explanations(found.findings)];
  }
  const rows = found.rows.map((item) => {
    const name = item.component;
    return row(
      { "data-part": name, class: `status-${item.status}` },
      name,
      shown(found.status === "rejected" ? undefined : item.ours, item.length),
      shown(url.components[name]),
      shown(link.components[name]),
      reasons(item),
    );
  });
  const heading = found.status === "repaired" ? "uriverse, after the repair" : "uriverse";
  content.push(table("Comparison with the browser", ["Component", heading, "new URL()", "<a href>", "Result"], rows));
  content.push(explanations(found.findings));
  return content;
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
    sentences.push(`The browser finds another ${different.join(", another ")}.`);
  } else if (url.href !== null && found.status !== "rejected") {
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
    content.push(" (no finding explains this)");
  }
  return content;
}

/** List the messages of the findings that the table names. */
function explanations(found) {
  const entries = Object.entries(found).flatMap(([name, message]) => [
    element("dt", {}, findingLink(name)),
    element("dd", {}, visible(message)),
  ]);
  return entries.length ? element("dl", {}, ...entries) : element("span");
}
