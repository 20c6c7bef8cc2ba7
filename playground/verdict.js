// The first section: is the string valid, which components does it have, and which host do programs
// find? It is drawn at once, without Python, and completed by the answer from Python.

import { readings } from "./browser.js";
import { divide, piecesOf } from "./divide.js";
import { code, counted, element, visible } from "./dom.js";
import { figure, sizeOf } from "./figure.js";
import {
  destinations,
  otherReading,
  sentence,
  showDestinations,
  showSentence,
  storedTitle,
} from "./hosts.js";
import { copyPicture, figuresIn, savePicture } from "./picture.js";

const TYPES = {
  URI: "Valid URI",
  IRI: "Valid IRI",
  URIReference: "Valid URI reference, without a scheme",
  IRIReference: "Valid IRI reference, without a scheme",
};

/** The severities of findings, the most severe first. */
const SEVERITIES = ["error", "warning", "info"];

/** The number of characters up to which the figure of another reading is drawn. */
const LONGEST = 10_000;

export class Verdict {
  #host;
  #validity;
  #policy;
  #figure;
  #looks;
  #here;
  #others;
  #note;
  #width = 0;
  #input = { text: "", base: "" };
  #answer = {};
  /** The text, and everything else, that the figures show. */
  #drawn = [];

  constructor(section) {
    const find = (name) => section.querySelector(name);
    this.#host = find("#host-sentence");
    this.#validity = find("#validity");
    this.#policy = find("#policy-sentence");
    this.#figure = find("#figure");
    this.#looks = find("#looks");
    this.#here = find("#hosts");
    this.#others = find("#stored");
    this.#note = find("#picture-note");
    find("#copy-picture").addEventListener("click", () => this.#picture(copyPicture));
    find("#save-picture").addEventListener("click", () => this.#picture(savePicture));
  }

  /** Draw an input, and what is known of the answer from Python. */
  show(text, base, answer) {
    this.#input = { text, base };
    this.#answer = answer;
    this.#draw();
  }

  /** Draw the figures again for another width. */
  set width(width) {
    this.#width = width;
    this.#drawFigures();
  }

  #draw() {
    const { text, base } = this.#input;
    const { url } = readings(text, base);
    const found = destinations(text, base, url, this.#answer.destinations);
    showSentence(this.#host, sentence(found, url));
    this.#host.classList.toggle("disputed", found.hosts.length > 1);
    showDestinations(this.#here, found.here);
    const list = this.#others.querySelector("ul");
    this.#others.hidden = found.others.length === 0;
    setText(this.#others.querySelector("summary"), storedTitle());
    showDestinations(list, found.others);
    this.#drawValidity();
    this.#drawPolicy();
    this.#drawLookalike();
    this.#drawFigures();
  }

  #drawValidity() {
    const { type, error, findings } = this.#answer;
    if (type === undefined) {
      this.#validity.className = "pending";
      setText(this.#validity, "Not checked for errors yet");
      return;
    }
    this.#validity.className = error ? "invalid" : "valid";
    this.#validity.dataset.part = error ? error.component : "";
    const problem = error ? `Not a valid URI: ${error.reason}` : TYPES[type];
    const numbers = findings?.severities ?? {};
    const counts = SEVERITIES.filter((severity) => severity in numbers).map((severity) =>
      severity === "info" ? `${numbers.info} info` : counted(numbers[severity], severity),
    );
    setText(this.#validity, [visible(problem), ...counts].join(" · "));
  }

  /** Show the decision of a policy, if the user has written rules. */
  #drawPolicy() {
    const { policy, hasRules } = this.#answer;
    this.#policy.hidden = !hasRules || !policy || policy.error !== null;
    if (!this.#policy.hidden) {
      const { allowed, reason } = policy;
      this.#policy.className = allowed ? "allowed" : "denied";
      const verb = element("strong", {}, allowed ? "allows" : "rejects");
      const why = allowed ? "." : `: ${visible(reason)}.`;
      this.#policy.replaceChildren("The policy ", verb, ` it${why}`);
    }
  }

  #drawLookalike() {
    const looks = this.#answer.findings?.lookalike ?? null;
    this.#looks.hidden = looks === null;
    this.#looks.replaceChildren();
    if (looks !== null) {
      const letters = looks.letters.rows.map(({ letter, name }) =>
        element("li", {}, element("strong", {}, visible(letter)), ` ${capitalized(name)}`),
      );
      this.#looks.replaceChildren(
        element("p", {}, "The host looks like"),
        element("p", { class: "large" }, code(looks.looks)),
        element("p", {}, "but is another host, with these characters:"),
        element("ul", {}, ...letters),
      );
    }
  }

  #drawFigures() {
    const { text, base } = this.#input;
    const { url } = readings(text, base);
    const { type, error = null, destinations: libraries } = this.#answer;
    // An invalid string has no host by RFC 3986, but its regular expression matches every string.
    const ourName = type && !error ? "RFC 3986" : "Split by Appendix B of RFC 3986";
    const other = text.length > LONGEST ? null : otherReading(text, base, url, libraries);
    const mark = error ? utf16(text, error.position) : null;
    const drawn = [text, JSON.stringify([this.#width, other, mark, ourName])];
    if (this.#width === 0 || drawn.every((part, index) => part === this.#drawn[index])) {
      return;
    }
    this.#drawn = drawn;
    if (text === "") {
      const note = "The string is empty. It refers to the base URI itself.";
      this.#figure.replaceChildren(element("p", {}, note));
      return;
    }
    const moved = other !== null;
    const components = divide(text);
    const ours = { name: moved ? ourName : null, components, pieces: piecesOf(components), mark };
    const shown = [ours];
    if (moved) {
      shown.push({ ...other, pieces: other.pieces ?? piecesOf(other.components) });
    }
    // Both figures have the same size, so that they can be compared.
    const size = Math.min(...shown.map((one) => sizeOf(one.pieces, this.#width, one.mark)));
    this.#figure.replaceChildren(...shown.flatMap((one) => this.#reading(one, { size, moved })));
  }

  #reading({ name, components, pieces, mark }, options) {
    const { svg, cut } = figure(pieces, this.#width, { mark, ...options });
    const { host } = components;
    const found = host
      ? ["the host is ", element("strong", {}, visible(host.slice(0, 200)))]
      : ["no host"];
    return [
      ...(name ? [element("p", { class: "reading" }, `${name}: `, ...found)] : []),
      svg,
      ...(cut
        ? [element("p", { class: "notice" }, "The picture abbreviates long components.")]
        : []),
    ];
  }

  async #picture(action) {
    this.#note.textContent = await action(figuresIn(this.#figure));
  }
}

/** Return a name of Unicode with only the first letter in upper case. */
function capitalized(name) {
  return name.charAt(0) + name.slice(1).toLowerCase();
}

/** Set the text of an element, unless it has it already. */
function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** Return the offset in UTF-16 of an offset in code points, which Python counts. */
export function utf16(text, offset) {
  if (!/[\ud800-\udfff]/.test(text)) {
    return offset;
  }
  let units = 0;
  let count = 0;
  for (const character of text) {
    if (count === offset) {
      break;
    }
    count += 1;
    units += character.length;
  }
  return units;
}
