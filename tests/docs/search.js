// Prints what the search page of the built site finds. Reads a list of queries from standard input.
//
// node search.js SITE < queries.json

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const site = process.argv[2];

// The parts of a page that the scripts use.
globalThis.document = { getElementById: () => null };
globalThis.window = globalThis;
globalThis.SPHINX_HIGHLIGHT_ENABLED = false;
globalThis._ready = () => {};
globalThis._ = (text) => text;

for (const script of ["_static/searchtools.js", "_static/language_data.js", "searchindex.js"]) {
  vm.runInThisContext(fs.readFileSync(path.join(site, script), "utf-8"), script);
}

const queries = JSON.parse(fs.readFileSync(0, "utf-8"));
const search = vm.runInThisContext("(query) => Search._performSearch(...Search._parseQuery(query))");
const found = (query) =>
  search(query)
    .reverse() // the page takes results from the end
    .map(([page, , anchor]) => page + anchor);

console.log(JSON.stringify(Object.fromEntries(queries.map((query) => [query, found(query)]))));
