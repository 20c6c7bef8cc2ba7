// The tables of path segments and query parameters, whose cells can be edited.

import { element, label, moreRows, row, table, visible } from "./dom.js";

/**
 * A table that writes every edit back to the input.
 *
 * Existing rows are updated in place, so that the field in which a user types keeps the focus.
 */
class EditableTable {
  #rows = [];
  #body;
  #headings;
  #problem = element("p", { class: "error-text", role: "alert" });
  #more = element("div");

  constructor(section, { caption, headings, adding }) {
    this.#headings = headings;
    const made = table(caption, headings);
    this.#body = made.tBodies[0];
    section.replaceChildren(made, this.#more, this.#problem, adding);
  }

  show(found, noun, create, update) {
    while (this.#rows.length > found.rows.length) {
      this.#rows.pop().node.remove();
    }
    found.rows.forEach((data, index) => {
      if (index === this.#rows.length) {
        const made = create(index);
        this.#rows.push(made);
        this.#body.append(label(made.node, this.#headings));
      }
      update(this.#rows[index], data);
    });
    this.#body.parentElement.hidden = found.total === 0;
    this.#more.replaceChildren(...moreRows(found, noun));
  }

  showProblem(error) {
    this.#problem.textContent = error ? [error.reason, error.hint].filter(Boolean).join(": ") : "";
  }
}

/**
 * Write a value into a field, unless the user is typing in it.
 *
 * Fields of one line cannot contain line breaks, so such values are only shown.
 */
function fill(field, value, isEdited) {
  field.readOnly = /[\n\r]/.test(value);
  field.title = field.readOnly ? "Contains line breaks. Edit it in the input above." : "";
  if (!(isEdited && document.activeElement === field) && field.value !== value) {
    field.value = value;
  }
}

/** Set the text of an element, unless it has it already: a change costs layout. */
function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

function field(label, edit = null) {
  const placeholder = edit ? null : label;
  return element("input", {
    type: "text",
    "aria-label": label,
    placeholder,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    oninput: edit,
  });
}

function removeButton(label, edit) {
  return element(
    "button",
    { type: "button", class: "remove", "aria-label": label, onclick: edit },
    "Remove",
  );
}

export class SegmentTable {
  #table;
  #apply;

  constructor(section, apply) {
    this.#apply = apply;
    const value = field("New segment");
    const add = element(
      "form",
      {
        class: "adding",
        onsubmit: (event) => {
          event.preventDefault();
          apply({ kind: "add-segment", value: value.value });
          value.value = "";
        },
      },
      value,
      element("button", {}, "Add a segment"),
    );
    this.#table = new EditableTable(section, {
      caption: "Path segments",
      headings: ["Number", "Decoded", "As written", "Change"],
      adding: add,
    });
  }

  show({ segments }, edit) {
    const isEdited = edit?.kind === "set-segment";
    this.#table.show(
      segments,
      "segments",
      (index) => this.#row(index),
      (made, data) => {
        fill(made.value, data.text, isEdited);
        // The empty segment before the first slash cannot be edited.
        made.value.hidden = made.remove.hidden = data.fixed;
        setText(
          made.raw,
          data.fixed ? "(the path starts with “/”)" : visible(data.raw) || "(empty)",
        );
      },
    );
  }

  /** Show why an edit of a segment is not possible, or that the last edit was. */
  showProblem(edit, error) {
    this.#table.showProblem(edit.kind.endsWith("-segment") ? error : null);
  }

  #row(index) {
    const value = field(`Segment ${index}`, () =>
      this.#apply({ kind: "set-segment", index, value: value.value }),
    );
    const raw = element("code");
    const remove = removeButton(`Remove segment ${index}`, () =>
      this.#apply({ kind: "remove-segment", index }),
    );
    const node = row({}, String(index), value, raw, remove);
    return { node, value, raw, remove };
  }
}

export class ParamTable {
  #table;
  #apply;

  constructor(section, apply) {
    this.#apply = apply;
    const name = field("New name");
    const value = field("New value");
    const add = element(
      "form",
      {
        class: "adding",
        onsubmit: (event) => {
          event.preventDefault();
          apply({ kind: "add-param", name: name.value, value: value.value });
          name.value = value.value = "";
        },
      },
      name,
      value,
      element("button", {}, "Add a parameter"),
    );
    this.#table = new EditableTable(section, {
      caption: "Query parameters",
      headings: ["Number", "Name", "Value", "As written", "Change"],
      adding: add,
    });
  }

  show({ params }, edit) {
    this.#table.show(
      params,
      "parameters",
      (index) => this.#row(index),
      (made, data) => {
        fill(made.name, data.name, edit?.kind === "set-name");
        fill(made.value, data.value ?? "", edit?.kind === "set-value");
        made.value.placeholder = data.value === null ? "without “=”" : "";
        setText(made.raw, visible(data.raw));
      },
    );
  }

  /** Show why an edit of a parameter is not possible, or that the last edit was. */
  showProblem(edit, error) {
    const own = ["set-name", "set-value", "remove-param", "add-param"].includes(edit.kind);
    this.#table.showProblem(own ? error : null);
  }

  #row(index) {
    const number = index + 1;
    const name = field(`Name ${number}`, () =>
      this.#apply({ kind: "set-name", index, value: name.value }),
    );
    const value = field(`Value ${number}`, () =>
      this.#apply({ kind: "set-value", index, value: value.value }),
    );
    const raw = element("code");
    const remove = removeButton(`Remove parameter ${number}`, () =>
      this.#apply({ kind: "remove-param", index }),
    );
    const node = row({}, String(number), name, value, raw, remove);
    return { node, name, value, raw };
  }
}
