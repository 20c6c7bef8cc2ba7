// Convert an SVG picture into PNG: node draw.js PICTURE.svg PICTURE.png

import { readFileSync, writeFileSync } from "node:fs";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const [source, target] = process.argv.slice(2);
const read = (path) => readFileSync(new URL(`node_modules/${path}`, import.meta.url));
const fonts = ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSansMono-Bold"];

await initWasm(read("@resvg/resvg-wasm/index_bg.wasm"));
const picture = new Resvg(readFileSync(source, "utf-8"), {
  font: {
    fontBuffers: fonts.map((name) => read(`dejavu-fonts-ttf/ttf/${name}.ttf`)),
    sansSerifFamily: "DejaVu Sans",
    monospaceFamily: "DejaVu Sans Mono",
  },
});
writeFileSync(target, picture.render().asPng());
