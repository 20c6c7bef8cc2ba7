// Renders Markdown with the libraries that are installed in the current folder.
//
// The first line of the output is a JSON list of their names and versions. Then each line of the
// input is a JSON list of documents, and the answer is a JSON list with the HTML of each document by
// each library, or an object with the message of an error.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

async function markdownIt(name, options) {
  const { default: MarkdownIt } = await import(name);
  const { default: footnotes } = await import("markdown-it-footnote");
  const renderer = MarkdownIt({ html: true, linkify: true }).use(footnotes);
  renderer.linkify.set(options);
  renderer.validateLink = () => true;
  return (text) => renderer.render(text);
}

const RENDERERS = {
  // Since version 15, domains without a scheme are linked only on request.
  "markdown-it": () => markdownIt("markdown-it", { fuzzyLink: true, urlAuth: true }),
  "markdown-it-14": () => markdownIt("markdown-it-14", {}),
  async marked() {
    const { Marked } = await import("marked");
    const { default: footnotes } = await import("marked-footnote");
    const renderer = new Marked({ gfm: true }).use(footnotes());
    return (text) => renderer.parse(text);
  },
  async micromark() {
    const { micromark } = await import("micromark");
    const { gfm } = await import("micromark-extension-gfm");
    const { gfmAutolinkLiteralHtml } = await import("micromark-extension-gfm-autolink-literal");
    const { gfmFootnoteHtml } = await import("micromark-extension-gfm-footnote");
    const { gfmStrikethroughHtml } = await import("micromark-extension-gfm-strikethrough");
    const { gfmTableHtml } = await import("micromark-extension-gfm-table");
    const options = {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      // The filter of tags is missing, because it would hide HTML that was not escaped.
      htmlExtensions: [
        gfmAutolinkLiteralHtml(),
        gfmFootnoteHtml(),
        gfmStrikethroughHtml(),
        gfmTableHtml(),
      ],
    };
    return (text) => micromark(text, options);
  },
  async commonmark() {
    const { Parser, HtmlRenderer } = await import("commonmark");
    const parser = new Parser();
    const renderer = new HtmlRenderer();
    return (text) => renderer.render(parser.parse(text));
  },
};

function version(name) {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
}

const renderers = [];
const names = [];
for (const [name, load] of Object.entries(RENDERERS)) {
  try {
    renderers.push(await load());
    names.push([name, version(name)]);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  }
}

function render(renderer, text) {
  try {
    return renderer(text);
  } catch (error) {
    return { error: String(error) };
  }
}

console.log(JSON.stringify(names));
for await (const line of createInterface({ input: process.stdin })) {
  const answers = JSON.parse(line).map((text) => renderers.map((each) => render(each, text)));
  console.log(JSON.stringify(answers));
}
