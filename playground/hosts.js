// The strip that shows which host each program finds, and the two figures of a string in which
// programs find different hosts.

import { NO_HOST } from "./browser.js";
import { divide } from "./divide.js";
import { element, showItems, visible } from "./dom.js";

const BROWSER = "this browser";
const REJECTED = "rejected";
const LIST = new Intl.ListFormat("en");

/** The stored results of many programs for known strings, from the page "Differences". */
let stored = { date: "", strings: {} };

/** Load the stored results. Without them, the page only shows the programs that it runs. */
export async function loadStored() {
  const response = await fetch(new URL("programs.json", import.meta.url));
  stored = response.ok ? await response.json() : stored;
}

/** Group programs by the host and port that they find. The rejections stand last. */
function grouped(entries) {
  const groups = new Map();
  for (const [target, programs] of entries) {
    const key = target ?? REJECTED;
    groups.set(key, [...(groups.get(key) ?? []), ...programs]);
  }
  const isRejection = ([target]) => target === REJECTED;
  return [...groups].sort((one, other) => isRejection(one) - isRejection(other));
}

/**
 * Return which programs find which host in a string.
 *
 * @param text the string, or null if it is a reference to resolve against a base URI
 * @param url the reading of `new URL` by the browser
 * @param libraries the groups of the Python libraries, or null while they are unknown
 * @returns the groups of the programs `here`, those of the stored results as `others`, and the
 *   different `hosts`, without those that only keep the userinfo
 */
export function destinations(text, url, libraries) {
  const here = grouped([
    [url.target, [BROWSER]],
    ...(libraries ?? []).map(({ target, programs }) => [target, programs]),
  ]);
  const others = isKnown(text) ? grouped(stored.strings[text]) : [];
  const found = [...here, ...others].map(([target]) => target);
  const hosts = found.filter((target) => target !== REJECTED && !target.includes("@"));
  return { here, others, hosts: [...new Set(hosts)] };
}

function isKnown(text) {
  return text !== null && Object.hasOwn(stored.strings, text);
}

/** Say in one sentence whether programs agree about the host. */
export function sentence({ hosts }, url) {
  const names = hosts.filter((host) => host !== NO_HOST).map(visible);
  if (names.length > 1) {
    return `Programs find different hosts: ${LIST.format(names)}.`;
  }
  if (hosts.length > 1) {
    return `Some programs find the host ${names[0]}, and some find none.`;
  }
  if (!hosts.length) {
    return "Every program here rejects the string.";
  }
  const subject = url.target === null ? "Programs" : "This browser";
  const verb = url.target === null ? "find" : "finds";
  return names.length ? `${subject} ${verb} the host ${names[0]}.` : `${subject} ${verb} no host.`;
}

/** Show the groups of programs. */
export function showDestinations(list, groups) {
  showItems(list, groups, ([target, programs]) =>
    element(
      "li",
      { class: target === REJECTED ? "rejection" : null },
      target === REJECTED
        ? element("span", { class: "target" }, REJECTED)
        : element("code", { class: "target" }, visible(target)),
      element("span", { class: "programs" }, programs.join(", ")),
    ),
  );
}

/** Return the date of the stored results. */
export function storedDate() {
  return stored.date;
}

/**
 * Return another reading of the string, whose host differs from that of RFC 3986, or null.
 *
 * The reading of the browser comes first, because the browser is at hand.
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
  return other ? { name: other.programs.join(", "), components: defined(other.components) } : null;
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
