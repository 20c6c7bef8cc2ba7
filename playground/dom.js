// Functions that create elements. Strings always become text nodes, never HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Create an HTML element with attributes and children. Attributes that are null are left unset. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Create an SVG element with attributes and children. */
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value);
    } else {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Characters that have no visible shape of their own, except the space. */
const INVISIBLE = /[[\p{C}\p{Z}]--\x20]/gv;

/** Return a string in which invisible characters are written as \u{...}. */
export function visible(text) {
  return text.replace(INVISIBLE, (character) => {
    return `\\u{${character.codePointAt(0).toString(16).padStart(4, "0")}}`;
  });
}

/**
 * Create an element that shows a string of the input.
 *
 * A long string is cut already. The element then says how many characters are missing.
 */
export function code({ text, missing }, attributes = {}) {
  const shown = element("code", attributes, visible(text));
  if (missing > 0) {
    shown.append(element("span", { class: "cut" }, ` … and ${missing.toLocaleString("en")} more characters`));
  }
  if (text === "") {
    shown.append(element("span", { class: "cut" }, "(empty)"));
  }
  return shown;
}

/**
 * Create a table with headings.
 *
 * On narrow screens, styles show each row as a list of its cells. The roles keep it a table for
 * screen readers.
 */
export function table(caption, headings, rows) {
  const labels = headings.map((text) => element("th", { scope: "col", role: "columnheader" }, text));
  const made = element(
    "table",
    { role: "table" },
    element("caption", { class: "hidden" }, caption),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...labels)),
    element("tbody", { role: "rowgroup" }, ...rows),
  );
  rows.forEach((node) => label(node, headings));
  return made;
}

/** Set the labels of the cells in a row, which narrow screens show. */
export function label(node, headings) {
  [...node.cells].forEach((cell, index) => cell.setAttribute("data-label", headings[index]));
  return node;
}

/** Create the row of a table from the contents of its cells; the first cell is its heading. */
export function row(attributes, first, ...cells) {
  const others = cells.map((cell) => element("td", { role: "cell" }, ...[cell].flat()));
  const heading = element("th", { scope: "row", role: "rowheader" }, ...[first].flat());
  return element("tr", { role: "row", ...attributes }, heading, ...others);
}

/** Create a paragraph that says how many rows of a table are not shown. */
export function moreRows({ rows, total }, noun) {
  return total > rows.length
    ? [element("p", { class: "notice" }, `Only the first ${rows.length} of ${total.toLocaleString("en")} ${noun} are shown.`)]
    : [];
}

/** Return a number with its noun, such as "2 findings". */
export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
