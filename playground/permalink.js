// Links that contain the input in their fragment, which browsers do not send to the server.

/** Browsers and chat programs may cut longer links. */
const LONGEST = 8000;

/** Return the input in the fragment of a link: its text, base, profile, steps and policy. */
export function read(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!fields.has("uri")) {
    return null;
  }
  const steps = {};
  for (const step of (fields.get("off") ?? "").split(",").filter(Boolean)) {
    steps[step] = false;
  }
  if (fields.get("dots") === "all") {
    steps.dot_segments = "all";
  }
  return {
    text: fields.get("uri"),
    base: fields.get("base") ?? "",
    profile: fields.get("profile") ?? "generic",
    steps,
    policy: { allow: fields.get("allow") ?? "", deny: fields.get("deny") ?? "" },
  };
}

/** Return the fragment of a link with the given input. */
export function write({ text, base, profile, steps, policy }) {
  const fields = new URLSearchParams({ uri: text });
  if (base) {
    fields.set("base", base);
  }
  if (profile !== "generic") {
    fields.set("profile", profile);
  }
  const off = Object.keys(steps).filter((step) => steps[step] === false);
  if (off.length) {
    fields.set("off", off.join(","));
  }
  if (steps.dot_segments === "all") {
    fields.set("dots", "all");
  }
  for (const kind of ["allow", "deny"]) {
    if (policy[kind]) {
      fields.set(kind, policy[kind]);
    }
  }
  return `#${fields}`;
}

/** Return the reason why a link cannot contain the input, or null. */
export function problem(input) {
  const { text, base, policy } = input;
  if (![text, base, policy.allow, policy.deny].every((field) => field.isWellFormed())) {
    return "A link cannot contain lone surrogates.";
  }
  if (text.length > LONGEST || write(input).length > LONGEST) {
    return "The input is too long for a link.";
  }
  return null;
}
