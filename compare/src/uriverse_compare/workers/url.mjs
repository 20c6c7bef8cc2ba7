// Read strings with the URL parsers of Node.js, Deno and Bun; _programs.py describes the input and
// the output. The argument is "URL" or "url.parse".
import { Buffer } from "node:buffer";
import { once } from "node:events";
import process from "node:process";
import url from "node:url";

const withoutMark = (text) => text && text.slice(1);

// The functions http.get and https.get reject these characters in a path, and in a host.
const BAD_PATH = /[^\u0021-\u00ff]/;
const BAD_HOST = /[^\t\x20-\x7e\x80-\xff]/;

class Rejection extends Error {}

function legacy(text) {
  const found = url.parse(text);
  if (/^https?:$/.test(found.protocol)) {
    if (BAD_PATH.test(found.path ?? "") || BAD_HOST.test(found.hostname ?? "")) {
      throw new Rejection("http.get rejects the path or the host");
    }
  }
  return found;
}

const parsers = {
  URL: {
    parse: (text) => new URL(text),
    isRejection: (error) => error instanceof TypeError,
    // The class drops empty components, and the default port.
    fields: (found) => ({
      scheme: found.protocol.slice(0, -1),
      userinfo: (found.username + (found.password && ":" + found.password)) || null,
      host: found.hostname || null,
      port: found.port || null,
      path: found.pathname,
      query: withoutMark(found.search || null),
      fragment: withoutMark(found.hash || null),
    }),
  },
  "url.parse": {
    parse: legacy,
    // A URIError means that the userinfo cannot be decoded.
    isRejection: (error) =>
      error.code === "ERR_INVALID_URL" || error instanceof URIError || error instanceof Rejection,
    fields: (found) => ({
      scheme: found.protocol && found.protocol.slice(0, -1),
      userinfo: found.auth,
      host: found.hostname,
      port: found.port,
      path: found.pathname,
      query: withoutMark(found.search),
      fragment: withoutMark(found.hash),
    }),
  },
};

const hex = (text) => Buffer.from(text).toString("hex");
const { parse, isRejection, fields } = parsers[process.argv[2]];

function answer(line) {
  const text = Buffer.from(line.slice(1), "hex").toString();
  let found;
  try {
    found = parse(text);
  } catch (error) {
    return `${isRejection(error) ? "-" : "!"} ${hex(String(error))}\n`;
  }
  const present = Object.entries(fields(found)).filter(([, value]) => typeof value === "string");
  return "+" + present.map(([name, value]) => ` ${name}=${hex(value)}`).join("") + "\n";
}

let rest = "";
process.stdin.setEncoding("latin1");
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  if (!process.stdout.write(lines.map(answer).join(""))) await once(process.stdout, "drain");
}
