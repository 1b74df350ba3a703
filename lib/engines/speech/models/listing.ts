import { z } from "zod"
import { AppError, messageOf } from "../../../domain/errors.ts"
import { readLimited } from "../../../platform/read-limited.ts"
import type { Model } from "./catalog.ts"
import { openWeb, type WebOptions } from "./http-download.ts"

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
/** Lists are some kilobytes. */
const MOST = 2 ** 20

const summed = (text: string): Listed =>
  new Map([...text.matchAll(SUM_LINE)].map(([, sum = "", name = ""]) => [name, { bytes: null, checksum: sum }]))

const inTree = (text: string): Listed =>
  new Map(
    tree
      .parse(JSON.parse(text))
      .map(({ path, oid, size, lfs }) => [
        path,
        lfs ? { bytes: lfs.size, checksum: lfs.oid.replace(/^sha256:/, "") } : { bytes: size, checksum: `git:${oid}` },
      ]),
  )

/** What a list says. @throws Error for what is none: a page, above all that of a network one has to log in to */
const parsed = (text: string, kind: NonNullable<Model["listing"]>["kind"]): Listed => {
  if (/^\s*</.test(text))
    throw new Error("a page comes in its place: does this network want a login, or is the mirror's address wrong?")
  let listed: Listed
  try {
    listed = kind === "sha256sum" ? summed(text) : inTree(text)
  } catch (cause) {
    throw new Error("it is no list of files", { cause })
  }
  if (listed.size === 0) throw new Error("it names no file")
  return listed
}

/**
 * What the publisher of a model says of its files, for those whose checksums are not known beforehand.
 * @throws AppError `unavailable` when the list cannot be had or is none
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
    return parsed(await readLimited(response, MOST), kind)
  } catch (cause) {
    options.signal.throwIfAborted()
    const { host } = new URL(url)
    throw new AppError("unavailable", `the list of checksums at ${host} cannot be read (${messageOf(cause)})`, {
      cause,
    })
  }
}
