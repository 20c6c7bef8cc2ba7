// The host that the URL Standard finds in a string. The build bundles this script for the page.

import { basicURLParse, serializeHost } from "whatwg-url/lib/url-state-machine.js";

export { version } from "./node_modules/whatwg-url/package.json";

/** Return the host and the port, such as "a.example:8080", or null if the string is rejected. */
export function hostOf(text, base) {
  const baseURL = base ? basicURLParse(base.toWellFormed()) : null;
  const url = base && baseURL === null ? null : basicURLParse(text.toWellFormed(), { baseURL });
  if (url === null) {
    return null;
  }
  const host = url.host === null ? "" : serializeHost(url.host);
  return url.port === null ? host : `${host}:${url.port}`;
}
