// The order of search results. Guides answer questions, so they precede pages of the reference that
// contain the same words. The phrases of docs/tasks.toml score 50 to 100.
const GUIDES = /^(columns\/(?!functions)|command-line|getting-started|integrations\/)/;

var Scorer = {
  score: ([page, title, , , score, , kind]) => {
    // Short names first, and the members of `URI` before those of other types.
    if (kind === "object")
      return score - title.split(".").length + title.startsWith("uriverse.URI.");
    return score + (page.startsWith("how-to/") ? 20 : GUIDES.test(page) ? 15 : 0);
  },

  // A whole name, such as `with_host` or `URI.resolve`, precedes the text of guides.
  objNameMatch: 35,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,

  // The remaining values are Sphinx's own.
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
