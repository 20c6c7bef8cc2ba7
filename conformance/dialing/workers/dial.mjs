// Request strings with Node.js, Deno or Bun; _programs.py describes the input and the output.
// The argument is "get" for http.get, "url.parse" for http.get with the result of url.parse, or
// "fetch".
import { Buffer } from "node:buffer";
import http from "node:http";
import https from "node:https";
import process from "node:process";
import readline from "node:readline";
import url from "node:url";

const LIMIT = 10_000;
const OPTIONS = { agent: false, timeout: LIMIT };

function get(protocol, ...parts) {
  return new Promise((resolve, reject) => {
    const client = protocol === "https:" ? https : http;
    const request = client.get(...parts, resolve);
    request.on("error", reject);
    request.on("timeout", () => request.destroy(new Error("timeout")));
  });
}

const requests = {
  get: (text) => get(new URL(text).protocol, new URL(text), OPTIONS),
  "url.parse": (text) => get(url.parse(text).protocol, { ...url.parse(text), ...OPTIONS }),
  fetch: (text) => fetch(text, { signal: AbortSignal.timeout(LIMIT) }),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  try {
    await requests[process.argv[2]](Buffer.from(line.slice(1), "hex").toString());
  } catch {
    // Every request fails, because every connection is refused.
  }
  process.stdout.write("\n");
}
