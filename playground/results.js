// The sections that show results: components, error, findings, forms and resolution.

import { IN_AUTHORITY } from "./divide.js";
import { code, counted, element, label, moreRows, row, showItems, table, visible } from "./dom.js";
import { findingLink, withLinks } from "./rfc.js";

const FORMS = {
  to_uri: "URI",
  to_uri_idna: "URI with an ASCII domain name",
  to_iri: "IRI",
  display: "for display, without secrets",
};

/** What is known about the components of an invalid string. */
const STATES = { valid: "before the error", invalid: "invalid", unchecked: "not checked" };

const COLUMNS = ["Component", "Rule", "Offsets", "String"];

/** The list of the components with their rules, offsets and strings. */
export class Anatomy {
  #sentence = element("p");
  #table = table("Components", COLUMNS);
  #select;

  constructor(section, select) {
    this.#select = select;
    section.replaceChildren(this.#sentence, this.#table);
  }

  show({ type, host_kind: kind, components, error }) {
    const host = kind ? `. The host is of the kind ${kind}.` : ".";
    this.#sentence.replaceChildren(
      ...(error
        ? ["The string is divided at its delimiters. Components after the error are not checked."]
        : ["The string matches ", element("strong", {}, type), host]),
    );
    showItems(this.#table.tBodies[0], components, (part) => label(this.#row(part), COLUMNS));
  }

  #row(part) {
    const select = () => this.#select(part.start, part.end);
    return row(
      {
        "data-part": part.name,
        class: `${part.state}${IN_AUTHORITY.has(part.name) ? " inner" : ""}`,
      },
      element(
        "button",
        {
          type: "button",
          class: `name part-${part.name}`,
          title: "Select in the input",
          onclick: select,
        },
        part.name,
      ),
      [
        part.rule === null
          ? element("span", { class: "state" }, STATES[part.state])
          : element("code", {}, part.rule),
        " ",
        element("span", { class: "section" }, ...withLinks(part.section)),
      ],
      `${part.start}–${part.end}`,
      code(part, { class: `part-${part.name}` }),
    );
  }
}

/** Show the error of an invalid string, and the repair. */
export function errorAndRepair({ error, repair }, apply) {
  const place = element("span", { class: "hint" }, ` (${error.rule}, position ${error.position})`);
  const content = [
    element("p", { class: "reason" }, error.reason, place),
    element(
      "pre",
      {
        "data-part": error.component,
        tabindex: "0",
        role: "group",
        "aria-label": "Place of the error",
      },
      error.drawing.join("\n"),
    ),
  ];
  if (error.hint) {
    content.push(element("p", {}, element("strong", {}, "Hint: "), error.hint, "."));
  }
  if (repair.error) {
    content.push(
      element(
        "p",
        {},
        element("strong", {}, "No repair: "),
        `${repair.error.reason} (`,
        findingLink(repair.code),
        ").",
      ),
    );
    return content;
  }
  const changes = repair.changes.rows.map((change) =>
    element(
      "li",
      {},
      `${change.kind} at ${change.start}: `,
      code(change.before),
      " → ",
      change.after.text ? code(change.after) : "removed",
    ),
  );
  content.push(
    element("p", {}, element("strong", {}, "Repair: "), code(repair)),
    element("ul", {}, ...changes),
    ...moreRows(repair.changes, "changes"),
    element(
      "button",
      { type: "button", onclick: () => apply({ kind: "repair" }) },
      "Apply the repair",
    ),
  );
  return content;
}

/** List the findings with their severities. */
export function findings({ findings: found }, profile, select) {
  if (!found.total) {
    return [element("p", {}, `No findings with the profile ${profile}.`)];
  }
  const items = found.rows.map((finding) =>
    element(
      "li",
      { "data-part": finding.component },
      element("span", { class: `severity ${finding.severity}` }, finding.severity),
      " ",
      findingLink(finding.code),
      " ",
      element(
        "button",
        {
          type: "button",
          class: "name",
          title: "Select in the input",
          onclick: () => select(finding.start, finding.end),
        },
        `${finding.component} ${finding.start}–${finding.end}`,
      ),
      element(
        "p",
        {},
        capitalized(visible(finding.message)),
        finding.suggestion ? `. ${capitalized(visible(finding.suggestion))}. ` : ". ",
        ...finding.details.flatMap((code) => ["Also ", findingLink(code), ". "]),
        element("span", { class: "hint" }, "(", ...withLinks(finding.reference), ")"),
      ),
    ),
  );
  return [element("ul", { class: "findings" }, ...items), ...moreRows(found, "findings")];
}

function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** List the forms of a URI. Forms other than that for display can replace the input. */
export function showForms(list, { forms }, apply) {
  showItems(list, forms, (form) => {
    const usable = form.changed && form.name !== "display";
    return element(
      "div",
      {},
      element("dt", {}, FORMS[form.name]),
      element(
        "dd",
        {},
        form.error ? element("span", { class: "error-text" }, form.error.reason) : code(form),
        form.error || form.changed ? null : element("span", { class: "hint" }, " (unchanged)"),
        usable ? useButton(() => apply({ kind: form.name }), FORMS[form.name]) : null,
      ),
    );
  });
}

/** Create a button that replaces the input with a result. */
export function useButton(action, label) {
  return element(
    "button",
    { type: "button", class: "use", "aria-label": `Use: ${label}`, onclick: action },
    "Use",
  );
}

/** Show the target of a reference, and the shortest reference to it. */
export function resolution({ resolution: found }, apply) {
  const { target, relative } = found;
  return [
    element(
      "dl",
      {},
      element("dt", {}, "Target, resolved against the base"),
      element(
        "dd",
        {},
        code(target),
        useButton(() => apply({ kind: "resolve" }), "target"),
      ),
      element("dt", {}, "Shortest reference from the base to the target"),
      element(
        "dd",
        {},
        ...(relative.error
          ? [element("span", { class: "error-text" }, relative.error.reason)]
          : [code(relative), useButton(() => apply({ kind: "relative" }), "shortest reference")]),
      ),
    ),
  ];
}

/** Summarize an answer in one sentence, for screen readers. */
export function summary(answer) {
  const found = answer.findings.total
    ? `, ${counted(answer.findings.total, "finding")}`
    : ", no findings";
  if (answer.error) {
    return `Invalid: ${answer.error.reason}${found}`;
  }
  return `Valid ${answer.type}, ${counted(answer.length, "character")}${found}`;
}
