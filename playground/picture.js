// The figures as a picture that can be pasted elsewhere. It is assembled from the drawn shapes with
// their colors, so it needs neither the styles of the page nor a font from another server.

const SCALE = 2;
const MARGIN = 16;

/** The height of a caption, and its baseline, in pixels. */
const CAPTION = 22;
const BASELINE = 15;

const measure = new OffscreenCanvas(1, 1).getContext("2d");

/** Return the figures in an element, with the captions above them. */
export function figuresIn(parent) {
  return [...parent.querySelectorAll("svg")].map((figure) => {
    const before = figure.previousElementSibling;
    return { figure, caption: before?.matches(".reading") ? before : null };
  });
}

/** Return the shapes of the figures, below each other, with their positions and colors. */
function shapesOf(figures) {
  const shapes = [];
  let top = MARGIN;
  let width = 0;
  for (const { figure, caption } of figures) {
    if (caption !== null) {
      const { color, fontFamily, fontSize } = getComputedStyle(caption);
      const style = { fill: color, stroke: "none", strokeWidth: "0", fontFamily, fontSize };
      const attributes = { x: 0, y: BASELINE };
      shapes.push({ name: "text", top, text: caption.textContent, attributes, ...style });
      top += CAPTION;
      measure.font = `${fontSize} ${fontFamily}`;
      width = Math.max(width, measure.measureText(caption.textContent).width + 2 * MARGIN);
    }
    const { width: own, height } = figure.viewBox.baseVal;
    for (const node of figure.querySelectorAll("rect, path, text")) {
      const { fill, stroke, strokeWidth, fontFamily, fontSize } = getComputedStyle(node);
      const attributes = Object.fromEntries(
        [...node.attributes].map((one) => [one.name, one.value]),
      );
      const text = node.localName === "text" ? node.textContent : null;
      const style = { fill, stroke, strokeWidth, fontFamily, fontSize };
      shapes.push({ name: node.localName, top, text, attributes, ...style });
    }
    top += height + MARGIN;
    width = Math.max(width, own + 2 * MARGIN);
  }
  return {
    shapes,
    width,
    height: top,
    background: getComputedStyle(document.body).backgroundColor,
  };
}

const KEPT = ["x", "y", "width", "height", "d", "rx", "textLength"];

/** Return the picture as an SVG document. */
export function asSVG(figures) {
  const { shapes, width, height, background } = shapesOf(figures);
  const made = document.implementation.createDocument("http://www.w3.org/2000/svg", "svg");
  const root = made.documentElement;
  const add = (name, attributes, text = null) => {
    const node = made.createElementNS(root.namespaceURI, name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    node.textContent = text;
    root.append(node);
  };
  // The policy of the page forbids the attribute `style`.
  root.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:space", "preserve");
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  add("rect", { width, height, fill: background });
  for (const { name, top, text, attributes, ...style } of shapes) {
    const kept = Object.entries(attributes).filter(([key]) => KEPT.includes(key));
    const font = { "font-family": style.fontFamily, "font-size": style.fontSize };
    add(
      name,
      {
        ...Object.fromEntries(kept),
        ...(text === null ? {} : font),
        fill: style.fill,
        stroke: style.stroke,
        "stroke-width": style.strokeWidth,
        transform: `translate(${MARGIN} ${top})`,
      },
      text,
    );
  }
  return new XMLSerializer().serializeToString(made);
}

/** Draw the picture on a canvas, and return it as PNG. */
export async function asPNG(figures) {
  const { shapes, width, height, background } = shapesOf(figures);
  const canvas = new OffscreenCanvas(Math.ceil(width * SCALE), Math.ceil(height * SCALE));
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  for (const { name, top, text, attributes, ...style } of shapes) {
    context.save();
    context.translate(MARGIN, top);
    context.fillStyle = style.fill;
    context.strokeStyle = style.stroke;
    context.lineWidth = parseFloat(style.strokeWidth);
    const [x, y] = [Number(attributes.x), Number(attributes.y)];
    if (name === "text") {
      context.font = `${style.fontSize} ${style.fontFamily}`;
      context.fillText(text, x, y);
    } else {
      const path = new Path2D(attributes.d);
      if (name === "rect") {
        path.rect(x, y, Number(attributes.width), Number(attributes.height));
      }
      if (style.fill !== "none") {
        context.fill(path);
      }
      if (style.stroke !== "none") {
        context.stroke(path);
      }
    }
    context.restore();
  }
  return canvas.convertToBlob({ type: "image/png" });
}

/** Copy the figures as a PNG picture, and return a note for the user. */
export async function copyPicture(figures) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": asPNG(figures) })]);
    return "Copied. The picture shows the whole input, secrets included.";
  } catch {
    return "The browser does not allow the page to copy pictures. Save the picture instead.";
  }
}

/** Save the figures as an SVG file, and return a note for the user. */
export function savePicture(figures) {
  const file = new Blob([asSVG(figures)], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "uri.svg";
  link.click();
  URL.revokeObjectURL(link.href);
  return "Saved. The picture shows the whole input, secrets included.";
}
