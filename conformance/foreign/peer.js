// Answer calls with the URL class of Node.js; foreign.py describes the input and the output.
const { readFileSync } = require("fs");

const operations = {
  accept: (text) => (new URL(text), "valid"),
  accept_iri: (text) => (new URL(text), "valid"),
  host: (text) => new URL(text).hostname,
  resolve: (base, reference) => new URL(reference, base).href,
  normalize: (text) => new URL(text).href,
  text: (text) => new URL(text).href,
};

const hex = (text) => Buffer.from(text).toString("hex");

for (const line of readFileSync(0, "latin1").trimEnd().split("\n")) {
  const [name, ...words] = line.split(" ");
  const texts = words.map((word) => Buffer.from(word, "hex").toString());
  let answer;
  try {
    answer = "=" + hex(operations[name](...texts));
  } catch (error) {
    answer = error.code === "ERR_INVALID_URL" ? "-" : "!" + hex(String(error));
  }
  console.log(answer);
}
