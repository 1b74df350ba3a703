import * as z from "zod"
import { AppError, messageOf } from "../../domain/errors.ts"
import { readLimited } from "../../platform/read-limited.ts"
import type { Model } from "./catalog.ts"
import { type HttpGetOptions, httpGet } from "./http-get.ts"

/** Maps file names to size (null if unknown) and checksum. */
export type ListedFiles = ReadonlyMap<string, { readonly bytes: number | null; readonly checksum: string }>

/** Hugging Face's file list of a revision. Large files have a SHA-256, small ones a Git blob hash. */
const huggingFaceTree = z.array(
  z.object({
    path: z.string(),
    oid: z.string(),
    size: z.number(),
    lfs: z.object({ oid: z.string(), size: z.number() }).optional(),
  }),
)

const SUM_LINE = /^([0-9a-f]{64}) [ *](.+)$/gm
const MAX_LIST_BYTES = 2 ** 20

const parseChecksumFile = (text: string): ListedFiles =>
  new Map([...text.matchAll(SUM_LINE)].map(([, sum = "", name = ""]) => [name, { bytes: null, checksum: sum }]))

const parseHuggingFaceTree = (text: string): ListedFiles =>
  new Map(
    huggingFaceTree
      .parse(JSON.parse(text))
      .map(({ path, oid, size, lfs }) => [
        path,
        lfs ? { bytes: lfs.size, checksum: lfs.oid.replace(/^sha256:/, "") } : { bytes: size, checksum: `git:${oid}` },
      ]),
  )

/** Parses a list. @throws Error if it is something else, such as the sign-in page of a network */
const parseListing = (text: string, kind: NonNullable<Model["listing"]>["kind"]): ListedFiles => {
  if (/^\s*</.test(text))
    throw new Error("it is a web page. Does this network require a login, or is the address of the mirror wrong?")
  let listed: ListedFiles
  try {
    listed = kind === "sha256sum" ? parseChecksumFile(text) : parseHuggingFaceTree(text)
  } catch (cause) {
    throw new Error("it is not a list of files", { cause })
  }
  if (listed.size === 0) throw new Error("it contains no files")
  return listed
}

/**
 * Fetches the publisher's list of sizes and checksums for files whose checksum the catalog does not contain.
 * @throws AppError `unavailable` if the list cannot be fetched or parsed
 */
export const fetchListing = async (
  { kind, url }: NonNullable<Model["listing"]>,
  options: HttpGetOptions,
): Promise<ListedFiles> => {
  try {
    const response = await httpGet(url, options)
    if (response.statusCode !== 200) {
      response.destroy()
      throw new Error(`the server returned HTTP ${response.statusCode}`)
    }
    return parseListing(await readLimited(response, MAX_LIST_BYTES), kind)
  } catch (cause) {
    options.signal.throwIfAborted()
    const { host } = new URL(url)
    throw new AppError("unavailable", `couldn't read the list of checksums at ${host}: ${messageOf(cause)}`, {
      cause,
    })
  }
}
