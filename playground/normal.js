// The normal form: the steps with their switches, and the changes that each step makes.

import { code, element } from "./dom.js";
import { useButton } from "./results.js";

const STEPS = {
  percent_encoding: "Decode percent-encoded characters that need no encoding",
  case: "Write the scheme and the host in lower case, and percent-encoded triplets in upper case",
  ipv6: "Write IPv6 addresses in their canonical form",
  dot_segments: "Remove dot segments from paths that start with “/”",
  scheme: "Apply the rules of the scheme, such as its default port",
};

const ALL_DOTS = "Also from other paths";

/** The list of steps. The switches are created once, and keep the focus. */
export class NormalForm {
  #switches = {};
  #allDots;
  #changes = {};

  constructor(list, changed) {
    for (const [step, label] of Object.entries(STEPS)) {
      const box = element("input", { type: "checkbox", id: `step-${step}`, onchange: changed });
      box.checked = true;
      this.#switches[step] = box;
      this.#changes[step] = element("ul", { class: "changes" });
      const item = element("li", {}, box, element("label", { for: box.id }, label));
      if (step === "dot_segments") {
        this.#allDots = element("input", { type: "checkbox", id: "step-all-dots", onchange: changed });
        box.addEventListener("change", () => this.#enable());
        item.append(element("div", { class: "sub" }, this.#allDots, element("label", { for: "step-all-dots" }, ALL_DOTS)));
      }
      item.append(this.#changes[step]);
      list.append(item);
    }
  }

  /** The settings of the steps, as options of `normalize`. */
  get steps() {
    const steps = {};
    for (const [step, box] of Object.entries(this.#switches)) {
      steps[step] = box.checked;
    }
    if (steps.dot_segments && this.#allDots.checked) {
      steps.dot_segments = "all";
    }
    return steps;
  }

  set steps(steps) {
    for (const [step, box] of Object.entries(this.#switches)) {
      box.checked = steps[step] !== false;
    }
    this.#allDots.checked = steps.dot_segments === "all";
    this.#enable();
  }

  #enable() {
    this.#allDots.disabled = !this.#switches.dot_segments.checked;
  }

  /** Show the changes of each step, and return the content of the section below the list. */
  show({ normal }, apply) {
    for (const { step, changes } of normal.steps) {
      this.#changes[step].replaceChildren(
        ...changes.map(({ component, before, after }) =>
          element(
            "li",
            { "data-part": component },
            `${component}: `,
            code(before),
            " → ",
            after === null ? "removed" : code(after),
          ),
        ),
      );
    }
    if (!normal.changed) {
      return [element("p", {}, "The string is in this normal form.")];
    }
    return [
      element("p", {}, element("strong", {}, "Result: "), code(normal), useButton(() => apply({ kind: "normalize" }), "normal form")),
    ];
  }
}
