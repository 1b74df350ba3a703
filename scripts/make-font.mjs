// Makes app/fonts/inter-latin.woff2, the part of Inter that almost every page needs: its Latin characters, with the weights
// and features that the pages use. It is 30 kB smaller than the file of the package. Run it after an update of the package:
//   npm install --no-save subset-font@2.9.0 && node scripts/make-font.mjs
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import subsetFont from "subset-font"
import { root } from "./setup.mjs"

const FONT = join(root, "node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2")
/** The range of app/globals.css. */
const WEIGHTS = { min: 400, max: 700, default: 400 }
/** Those of app/globals.css, and those that shape any text. */
const FEATURES = ["cv05", "cv11", "ss03", "tnum", "calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "rlig"]

/** The characters of the unicode-range of app/globals.css. */
const characters = /unicode-range: ([^;]+);/
  .exec(readFileSync(join(root, "app/globals.css"), "utf8"))[1]
  .split(",")
  .flatMap((range) => {
    const [from, to = from] = range
      .trim()
      .slice(2)
      .split("-")
      .map((code) => Number.parseInt(code, 16))
    return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
  })
const latin = await subsetFont(readFileSync(FONT), characters.join(""), {
  targetFormat: "woff2",
  variationAxes: { wght: WEIGHTS },
  keepFeatures: FEATURES,
})
writeFileSync(join(root, "app/fonts/inter-latin.woff2"), latin)
console.log(`inter-latin.woff2: ${latin.length} bytes`)
