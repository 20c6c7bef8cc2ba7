// Try a policy: rules, and the decision about the input.

import { code, element, visible } from "./dom.js";

/** Show the decision of a policy. */
export function decision(found) {
  if (found === null) {
    return [element("p", { class: "notice" }, "The string is too long to try a policy.")];
  }
  if (found.error !== null) {
    return [element("pre", { class: "error-text", tabindex: "0" }, found.error)];
  }
  const rule =
    found.rule === null ? [] : [" by the rule ", element("code", {}, visible(found.rule))];
  if (found.allowed) {
    return [
      element("p", { class: "allowed" }, element("strong", {}, "Allowed"), ...rule, "."),
      element("p", {}, "Connect to ", code({ text: found.uri, missing: 0 })),
    ];
  }
  return [
    element(
      "p",
      { class: "denied" },
      element("strong", {}, "Rejected"),
      ...rule,
      ": ",
      found.reason,
      ".",
    ),
    element(
      "p",
      { class: "hint" },
      element("code", {}, found.code),
      found.hint ? `: ${found.hint}` : "",
    ),
  ];
}
