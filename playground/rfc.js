// Links to the sections of RFCs, and to the explanations of findings.

import { element } from "./dom.js";

const REFERENCE = /RFC (\d+)(?:, (?:(\d+(?:\.\d+)*)|Appendix ([A-Z])))?/g;

/** Turn the names of RFCs and their sections in a text into links. */
export function withLinks(text) {
  const nodes = [];
  let done = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [label, number, section, appendix] = match;
    let address = `https://www.rfc-editor.org/rfc/rfc${number}`;
    if (section) {
      address += `#section-${section}`;
    } else if (appendix) {
      address += `#appendix-${appendix}`;
    }
    nodes.push(text.slice(done, match.index), element("a", { href: address, rel: "noreferrer" }, label));
    done = match.index + label.length;
  }
  return [...nodes, text.slice(done)];
}

/** Create a link to the explanation of a finding in the documentation. */
export function findingLink(code) {
  return element("a", { href: `../findings.html#${code}` }, element("code", {}, code));
}
