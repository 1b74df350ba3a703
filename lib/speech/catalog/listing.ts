import { json, text } from "node:stream/consumers"
import { z } from "zod"
import { AppError, messageOf } from "../../errors.ts"
import type { Model } from "./models.ts"
import { openWeb, type WebOptions } from "./web.ts"

/** Bytes (null: not told) and checksum of a file, as its publisher lists them. */
export type Listed = ReadonlyMap<string, { readonly bytes: number | null; readonly checksum: string }>

/** Hugging Face's list of a revision: large files by sha256, small ones by git's name for their content. */
const tree = z.array(
  z.object({
    path: z.string(),
    oid: z.string(),
    size: z.number(),
    lfs: z.object({ oid: z.string(), size: z.number() }).optional(),
  }),
)

const SUM_LINE = /^([0-9a-f]{64}) [ *](.+)$/gm

/**
 * What the publisher of a model says of its files, for those whose checksums are not known beforehand.
 * @throws AppError `unavailable` when the list cannot be had
 */
export const fetchListing = async (
  { kind, url }: NonNullable<Model["listing"]>,
  options: WebOptions,
): Promise<Listed> => {
  try {
    const response = await openWeb(url, options)
    if (response.statusCode !== 200) {
      response.destroy()
      throw new Error(`it answers ${response.statusCode}`)
    }
    if (kind === "sha256sum")
      return new Map(
        [...(await text(response)).matchAll(SUM_LINE)].map(([, sum = "", name = ""]) => [
          name,
          { bytes: null, checksum: sum },
        ]),
      )
    return new Map(
      tree
        .parse(await json(response))
        .map(({ path, oid, size, lfs }) => [
          path,
          lfs
            ? { bytes: lfs.size, checksum: lfs.oid.replace(/^sha256:/, "") }
            : { bytes: size, checksum: `git:${oid}` },
        ]),
    )
  } catch (cause) {
    options.signal.throwIfAborted()
    const { host } = new URL(url)
    throw new AppError("unavailable", `the list of checksums at ${host} cannot be read (${messageOf(cause)})`, {
      cause,
    })
  }
}
