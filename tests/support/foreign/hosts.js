// Print the hosts that Node.js sees; readers.py describes its input and output.
const { readFileSync } = require("fs");
const url = require("url");

const parsers = [
  (text) => new URL(text).hostname,
  // Where there is no "//", as in "urn:a:b" and "tel:1", it reads a host all the same.
  (text) => {
    const { slashes, hostname } = url.parse(text, false, true);
    return (slashes && hostname) || "";
  },
];

const answer = (text) => (parser) => {
  try {
    return "=" + Buffer.from(parser(text)).toString("hex");
  } catch {
    return "-";
  }
};

for (const line of readFileSync(0, "latin1").trimEnd().split("\n")) {
  const text = Buffer.from(line, "hex").toString();
  process.stdout.write(parsers.map(answer(text)).join(" ") + "\n");
}
