// The picture of a URI: the components in color, with a bracket and a name below each, as in RFC 3986,
// section 3. The string wraps at the width of the page.

import { drawn, visible } from "./dom.js";

/** In a string of more than this many characters, components are cut to `CUT` characters. */
const WHOLE = 160;
const CUT = 48;

/** The sizes of the font, in pixels. The largest with which the string fits into one row is used. */
const SIZES = [24, 20, 17, 15, 13];

/** The size of the font if the string needs several rows. */
const WRAPPED = 15;
const LABEL_SIZE = 13;

/** Lengths in pixels. */
const ABOVE = 22;
const BRACKET = 9;
const LEVEL = 19;
const GAP = 8;
const BETWEEN_ROWS = 14;

/** An empty box marks the end of a string that ends too early. */
const END = "\u00a0";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const context = document.createElement("canvas").getContext("2d");
const widths = new Map();
let mono = null;

/** Return the width of a string in the font of the figure. */
function widthOf(text, size) {
  const key = `${size} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    mono ??= getComputedStyle(document.documentElement).getPropertyValue("--mono");
    context.font = `${size}px ${mono}`;
    width = context.measureText(text).width;
    if (widths.size > 5000) {
      widths.clear();
    }
    widths.set(key, width);
  }
  return width;
}

/** Return the largest size of the font with which a string fits into one row. */
export function sizeOf(pieces, available, mark = null) {
  const { units } = allUnits(pieces, mark);
  return SIZES.find((size) => widthOfAll(units, size) <= limitOf(available)) ?? WRAPPED;
}

function limitOf(available) {
  return Math.max(available - 4, 120);
}

/** Split all pieces into units, and return whether long pieces are cut. */
function allUnits(pieces, mark) {
  const total = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  const cut = total > WHOLE;
  const units = pieces.map((piece) => unitsOf(piece, cut, mark));
  if (mark !== null && mark >= total) {
    // The string ends too early. The mark follows its last character.
    units.at(-1).units.push({ text: END, isMarked: true });
  }
  return { units, cut };
}

/**
 * Draw the components of a string.
 *
 * @param pieces the components and the delimiters between them, from `piecesOf`
 * @param available the width of the page in pixels
 * @param mark the offset of the first invalid character, or null
 * @param size the size of the font, from `sizeOf`
 * @param moved whether to mark the host, because another program finds another host
 * @returns the picture, and whether components are cut
 */
export function figure(pieces, available, { size, mark = null, moved = false }) {
  const limit = limitOf(available);
  const { units, cut } = allUnits(pieces, mark);
  const rows = wrapped(units, limit, size);
  const labeled = placesOfLabels(rows, limit);
  const error = mark === null ? "" : ", with the place of the error";
  const svg = drawn("svg", { role: "img", "aria-label": `Components: ${namesOf(pieces)}${error}` });
  let y = 0;
  let width = 0;
  rows.forEach((row, index) => {
    y = drawRow(svg, row, labeled[index], y, { size, moved }) + BETWEEN_ROWS;
    width = Math.max(
      width,
      ...row.map((fragment) => fragment.end),
      ...labeled[index].map((label) => label.end),
    );
  });
  const height = y - BETWEEN_ROWS;
  svg.setAttribute("viewBox", `0 0 ${Math.ceil(width + 2)} ${height}`);
  svg.setAttribute("width", Math.ceil(width + 2));
  svg.setAttribute("height", height);
  return { svg, cut: cut && pieces.some((piece) => piece.text.length > CUT) };
}

function namesOf(pieces) {
  return pieces
    .filter((piece) => piece.name)
    .map((piece) => piece.name)
    .join(", ");
}

/**
 * Split a piece into the units that stay together.
 *
 * A long piece is cut. The part that is left contains the mark.
 */
function unitsOf(piece, cut, mark) {
  const place = mark === null ? -1 : mark - piece.start;
  const inside = place >= 0 && place < piece.text.length;
  const length = piece.text.length;
  const from = cut && inside && place >= CUT ? Math.min(place - CUT / 2, length - CUT) : 0;
  const to = cut && length > CUT ? from + CUT : length;
  const text = piece.text.slice(from, to);
  const segments = /^[\x20-\x7e]*$/.test(text)
    ? [...text].map((segment, index) => ({ segment, index }))
    : [...segmenter.segment(text)];
  const units = segments.map(({ segment, index }) => {
    const offset = place - from - index;
    return { text: visible(segment), isMarked: inside && offset >= 0 && offset < segment.length };
  });
  const gap = { text: "…", isMarked: false };
  return { ...piece, units: [...(from ? [gap] : []), ...units, ...(to < length ? [gap] : [])] };
}

function widthOfAll(pieces, size) {
  let width = 0;
  for (const { text } of pieces.flatMap((piece) => piece.units)) {
    width += widthOf(text, size);
  }
  return width;
}

/** Divide the pieces into rows of fragments that are not wider than the page. */
function wrapped(pieces, available, size) {
  const rows = [[]];
  let x = 0;
  for (const piece of pieces) {
    let fragment = { ...piece, start: x, end: x, text: "" };
    rows.at(-1).push(fragment);
    for (const unit of piece.units) {
      const width = widthOf(unit.text, size);
      if (x > 0 && x + width > available) {
        if (fragment.text === "") {
          rows.at(-1).pop();
        }
        x = 0;
        fragment = { ...piece, start: 0, end: 0, text: "" };
        rows.push([fragment]);
      }
      fragment.text += unit.text;
      if (unit.isMarked) {
        fragment.mark = { x, width };
      }
      x += width;
      fragment.end = x;
    }
  }
  return rows;
}

/** Choose the row of the label of each component: that of its widest fragment. */
function placesOfLabels(rows, limit) {
  const widest = new Map();
  for (const fragment of rows.flat()) {
    const other = widest.get(fragment.name);
    if (fragment.name && (!other || fragment.end - fragment.start > other.end - other.start)) {
      widest.set(fragment.name, fragment);
    }
  }
  return rows.map((row) =>
    withLevels(
      row.filter((fragment) => widest.get(fragment.name) === fragment),
      limit,
    ),
  );
}

/**
 * Place the labels of a row below its brackets.
 *
 * From right to left, each label takes the first level on which it overlaps with no other label and
 * with no pole. A label never covers the poles on its left, so there always is such a level.
 */
function withLevels(fragments, limit) {
  const placed = [];
  const poles = fragments.map((fragment) => (fragment.start + fragment.end) / 2);
  for (const [index, fragment] of [...fragments.entries()].reverse()) {
    const text = fragment.text === "" ? `${fragment.name} (empty)` : fragment.name;
    const width = widthOf(text, LABEL_SIZE);
    const pole = poles[index];
    const leftmost = Math.min(index > 0 ? poles[index - 1] + 5 : 0, pole);
    const start = Math.max(Math.min(pole - width / 2, limit - width), leftmost);
    const end = start + width;
    const isFree = (level) =>
      placed.every(
        (other) =>
          !(other.level === level && start < other.end + GAP && other.start < end + GAP) &&
          !(other.level > level && start - 3 < other.pole && other.pole < end + 3),
      );
    let level = 0;
    while (!isFree(level)) {
      level += 1;
    }
    placed.push({ name: fragment.name, text, start, end, pole, level });
  }
  return placed;
}

/** Draw one row, and return the vertical position of its lower end. */
function drawRow(svg, row, labels, top, { size, moved }) {
  const authority = row.filter((fragment) => fragment.authority);
  const hasParts = new Set(authority.map((fragment) => fragment.name)).size > 1;
  let y = top;
  if (hasParts) {
    y += ABOVE;
    drawAuthority(svg, authority, y - 4);
  }
  const baseline = y + size;
  for (const fragment of row) {
    const isMoved = moved && fragment.name === "host";
    const group = drawn("g", {
      "data-part": fragment.name,
      class: `part-${fragment.name || "delimiter"}${isMoved ? " moved" : ""}`,
    });
    if (fragment.text) {
      const width = fragment.end - fragment.start;
      group.append(
        drawn("rect", { class: "back", x: fragment.start, y: y - 1, width, height: size + 8 }),
        fragment.mark ? drawMark(fragment.mark, y, size) : "",
        drawn(
          "text",
          { class: "value", x: fragment.start, y: baseline, "font-size": size, textLength: width },
          fragment.text,
        ),
      );
    }
    if (fragment.name) {
      group.append(drawn("path", { class: "line", d: bracket(fragment, baseline + 5) }));
      for (const label of labels.filter((one) => one.name === fragment.name)) {
        const foot = baseline + 5 + BRACKET + label.level * LEVEL;
        group.append(
          drawn("path", {
            class: "line",
            d: `M${label.pole} ${baseline + 5 + BRACKET / 2}V${foot + 3}`,
          }),
          drawn(
            "text",
            { class: "label", x: label.start, y: foot + 16, "font-size": LABEL_SIZE },
            label.text,
          ),
        );
      }
    }
    svg.append(group);
  }
  const levels = labels.length ? Math.max(...labels.map((label) => label.level)) + 1 : 0;
  return baseline + 5 + BRACKET + levels * LEVEL;
}

/** Draw a box around the first invalid character. */
function drawMark({ x, width }, y, size) {
  const title = drawn("title", {}, "The first invalid character");
  return drawn("rect", { class: "mark", x, y, width, height: size + 6, rx: 2 }, title);
}

function drawAuthority(svg, fragments, y) {
  const start = fragments[0].start;
  const end = fragments.at(-1).end;
  const width = widthOf("authority", LABEL_SIZE);
  const label = Math.max((start + end - width) / 2, 0);
  svg.append(
    drawn(
      "g",
      { "data-part": "authority", class: "part-authority" },
      drawn("path", { class: "line", d: `M${start + 1} ${y + 3}v-4H${end - 1}v4` }),
      drawn("text", { class: "label", x: label, y: y - 5, "font-size": LABEL_SIZE }, "authority"),
    ),
  );
}

/** Return the outline of the bracket below a fragment. An empty component has a short line. */
function bracket({ start, end, text }, y) {
  if (text === "") {
    return `M${start} ${y - 3}v${BRACKET / 2 + 3}`;
  }
  const left = start + 1;
  const right = Math.max(end - 1, left);
  return `M${left} ${y}v${BRACKET / 2}H${right}v${-BRACKET / 2}`;
}
