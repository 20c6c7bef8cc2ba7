// Divide any string at its delimiters, as RFC 3986, Appendix B, does. `answers/dividing.py` does the
// same.

/** The components of a string, from left to right. */
export const COMPONENTS = ["scheme", "userinfo", "host", "port", "path", "query", "fragment"];

/** The regular expression of Appendix B. It matches any string. */
const SPLIT = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** The parts of an authority. A host in brackets without an end has no port. */
const AUTHORITY = /^(?:(.*)@)?(\[[^\]]*|.*?)(?::([0-9]*))?$/s;

/** The components that are parts of the authority. */
export const IN_AUTHORITY = new Set(["userinfo", "host", "port"]);

/** The characters before and after a component that are not a part of it. */
const BEFORE = { port: ":", query: "?", fragment: "#" };
const AFTER = { scheme: ":", userinfo: "@" };

/** Return the components of a string by their names. Undefined components are null. */
export function divide(text) {
  const [, scheme, authority, path, query, fragment] = SPLIT.exec(text);
  const [, userinfo, host, port] = authority === undefined ? [] : AUTHORITY.exec(authority);
  const components = { scheme, userinfo, host, port, path, query, fragment };
  return Object.fromEntries(COMPONENTS.map((name) => [name, components[name] ?? null]));
}

/**
 * Return components and the delimiters between them, in order.
 *
 * The `name` of a delimiter is `""`. `start` is the offset of a piece, and `authority` tells whether
 * it is a part of the authority.
 */
export function piecesOf(components) {
  const pieces = [];
  let start = 0;
  const add = (name, piece, authority) => {
    if (piece || name) {
      pieces.push({ name, text: piece, start, authority });
      start += piece.length;
    }
  };
  for (const name of COMPONENTS) {
    const component = components[name];
    const authority = IN_AUTHORITY.has(name);
    if (component !== null) {
      add("", BEFORE[name] ?? "", authority);
      if (component || name !== "path") {
        add(name, component, authority);
      }
      add("", AFTER[name] ?? "", authority);
    }
    if (name === "scheme" && components.host !== null) {
      if (component === null) {
        add("", "//", false);
      } else {
        pieces.at(-1).text += "//";
        start += 2;
      }
    }
  }
  return pieces;
}
