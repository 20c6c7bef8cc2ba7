// The reference implementation of the URL Standard. The build bundles it for the page.

export { version } from "./node_modules/whatwg-url/package.json";
export { URL } from "whatwg-url";
