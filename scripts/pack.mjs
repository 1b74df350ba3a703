// Compresses the scripts and styles of the built pages ahead of time: `x.js.br` and `x.js.gz` next to `x.js`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** Smaller files fit into one network packet without compression. */
const MIN_BYTES = 1000

const codings = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gz: (body) => promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }),
}

/** Compresses every script and style below a folder. Returns the number of such files. */
export const pack = async (dir) => {
  const names = readdirSync(dir, { recursive: true }).filter((name) => /\.(js|css)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const body = readFileSync(join(dir, name))
      if (body.length < MIN_BYTES) return
      for (const [suffix, run] of Object.entries(codings))
        writeFileSync(join(dir, `${name}.${suffix}`), await run(body))
    }),
  )
  return names.length
}
