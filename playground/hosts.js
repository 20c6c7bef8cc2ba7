// The strip that shows which host each program finds, and the two figures of a string in which
// programs find different hosts.

import { NO_HOST } from "./browser.js";
import { divide } from "./divide.js";
import { element, showItems, visible } from "./dom.js";

const BROWSER = "this browser";
const LIST = new Intl.ListFormat("en");

/** The number of characters up to which the reference implementation reads a string. */
const LONGEST = 10_000;

/** The number of hosts or programs that a sentence names, and of the characters of a host. */
const MOST_NAMES = 3;
const LONGEST_SHOWN = 200;

/** The stored results of many programs for known strings. */
let stored = { date: "", programs: [], strings: {} };

/** The reference implementation of the URL Standard, or null while it is not loaded. */
let standard = null;

/**
 * Load the stored results and the reference implementation of the URL Standard.
 *
 * Without them, the page only shows the other programs.
 */
export async function loadPrograms() {
  const [results, module] = await Promise.allSettled([
    fetch(new URL("programs.json", import.meta.url)).then((response) => response.json()),
    import(new URL("standard.js", import.meta.url)),
  ]);
  stored = results.value ?? stored;
  standard = module.value ?? standard;
}

/** Return the host that the reference implementation of the URL Standard finds, as a group. */
function standardGroup(text, base) {
  if (standard === null || text.length > LONGEST) {
    return [];
  }
  const host = standard.hostOf(text, base);
  const target = host === "" ? NO_HOST : host;
  return [[target, [`URL Standard (whatwg-url ${standard.version})`]]];
}

/**
 * Group programs by the host and port that they find.
 *
 * The target of the programs that reject the string is null. They stand last.
 */
function grouped(entries) {
  const groups = new Map();
  for (const [target, programs] of entries) {
    groups.set(target, [...(groups.get(target) ?? []), ...programs]);
  }
  return [...groups].sort(([one], [other]) => (one === null) - (other === null));
}

/**
 * Return which programs find which host in a string.
 *
 * @param text the string
 * @param base the base URI; if there is one, only the browser and the URL Standard read the string
 * @param url the reading of `new URL` by the browser
 * @param libraries the groups of the Python libraries, or null while they are unknown
 * @returns the groups of the programs `here`, those of the stored results as `others`, the
 *   different `hosts`, without those that only keep the userinfo, and whether only the browser has
 *   read the string so far
 */
export function destinations(text, base, url, libraries) {
  const read = base ? [] : (libraries ?? []);
  const here = grouped([
    [url.target, [BROWSER]],
    ...standardGroup(text, base),
    ...read.map(({ target, programs }) => [target, programs]),
  ]);
  const others = base ? [] : storedGroups(text);
  const found = [...here, ...others].map(([target]) => target);
  const hosts = found.filter((target) => target !== null && !target.includes("@"));
  const isFirst = read.length === 0 && others.length === 0;
  return { here, others, hosts: [...new Set(hosts)], isFirst };
}

/** Return the groups of the stored results, which only known strings have. */
function storedGroups(text) {
  const results = Object.hasOwn(stored.strings, text) ? stored.strings[text] : [];
  return results.map(([target, indices]) => [
    target,
    indices.map((index) => stored.programs[index]),
  ]);
}

/**
 * Say in one sentence whether programs agree about the host.
 *
 * @returns the parts of the sentence: strings, and objects with a `host`
 */
export function sentence({ here, others, hosts, isFirst }, url) {
  const names = hosts.filter((host) => host !== NO_HOST).map((host) => ({ host }));
  if (names.length > 1) {
    const different = new Set(names.map(({ host }) => withoutPort(host)));
    const noun = different.size > 1 ? "hosts" : "ports";
    return [`Programs find different ${noun}: `, ...listed(shortened(names)), "."];
  }
  if (hosts.length > 1) {
    return ["Some programs find the host ", names[0], ", and some find none."];
  }
  if (!hosts.length) {
    return ["Every program here rejects the string."];
  }
  const found = names.length ? ["the host ", names[0]] : ["no host"];
  if (isFirst && url.target !== null) {
    return ["This browser finds ", ...found, "."];
  }
  const isRejected = [...here, ...others].some(([target]) => target === null);
  return isRejected
    ? ["Programs find ", ...found, ", or reject the string."]
    : ["All programs here find ", ...found, "."];
}

function withoutPort(target) {
  return target.replace(/:\d+$/, "");
}

/** Return the first names, and the number of the others. */
function shortened(names) {
  const more = names.length - MOST_NAMES;
  return more > 0 ? [...names.slice(0, MOST_NAMES), `${more} more`] : names;
}

/** Return items with commas and "and" between them. */
function listed(items) {
  const parts = LIST.formatToParts(items.map(() => "_"));
  let index = 0;
  return parts.map(({ type, value }) => (type === "element" ? items[index++] : value));
}

/** Show a sentence. */
export function showSentence(node, parts) {
  showItems(node, [parts], () => {
    const nodes = parts.map((part) =>
      part.host === undefined
        ? part
        : element("span", { class: "host-name" }, visible(part.host.slice(0, LONGEST_SHOWN))),
    );
    return element("span", {}, ...nodes);
  });
}

/** Show the groups of programs. */
export function showDestinations(list, groups) {
  showItems(list, groups, ([target, programs]) =>
    element(
      "li",
      { class: target === null ? "rejection" : null },
      target === null
        ? element("span", { class: "target" }, "rejected")
        : element("code", { class: "target" }, visible(target)),
      element("span", { class: "programs" }, programs.join(", ")),
    ),
  );
}

/** Return the title of the stored results. */
export function storedTitle() {
  return `All ${stored.programs.length} programs, tested on ${stored.date}`;
}

/**
 * Return another reading of the string, whose host differs from that of RFC 3986, or null.
 *
 * The reading of the browser comes first, because the browser is at hand. The stored results come
 * last, because they only have hosts.
 */
export function otherReading(text, base, url, libraries) {
  if (base) {
    return null;
  }
  const ours = divide(text).host;
  if (url.href !== null && !isSameHost(ours, url.components.host)) {
    return { name: "This browser", components: url.components };
  }
  const other = (libraries ?? []).find(
    ({ target, components }) => target !== null && !isSameHost(ours, components.host),
  );
  return other
    ? { name: other.programs.join(", "), components: defined(other.components) }
    : storedReading(text, ours);
}

/**
 * Return the first stored reading whose host is another part of the string, or null.
 *
 * The stored results have no other components, so its `pieces` only contain the host.
 */
function storedReading(text, ours) {
  const lower = text.toLowerCase();
  for (const [target, programs] of storedGroups(text)) {
    const host = withoutPort(target ?? "");
    // The search starts behind the scheme.
    const start = host && !host.includes("@") ? lower.indexOf(host, text.indexOf(":") + 1) : -1;
    if (start >= 0 && !isSameHost(ours, host) && lower.length === text.length) {
      const end = start + host.length;
      const pieces = [
        { name: "", text: text.slice(0, start), start: 0, authority: false },
        { name: "host", text: text.slice(start, end), start, authority: false },
        { name: "", text: text.slice(end), start: end, authority: false },
      ];
      return { name: LIST.format(shortened(programs)), components: { host }, pieces };
    }
  }
  return null;
}

/** Return components without an empty query and fragment, which some libraries return for none. */
function defined(components) {
  return {
    ...components,
    path: components.path ?? "",
    query: components.query || null,
    fragment: components.fragment || null,
  };
}

/** Return whether two hosts are equal, apart from their case and from Punycode. */
function isSameHost(ours, theirs) {
  const [one, other] = [ours, theirs].map((host) => (host ?? "").toLowerCase());
  return one === other || (/[^\0-\x7f]/.test(one) && inASCII(one) === inASCII(other));
}

function inASCII(host) {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return host;
  }
}
