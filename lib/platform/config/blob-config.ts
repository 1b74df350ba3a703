import { homedir } from "node:os"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { z } from "zod"

/** Where recordings and documents lie: a folder, or a bucket of S3-compatible storage with what its client is to know. */
export type BlobPlace =
  | { readonly kind: "folder"; readonly dir: string }
  | {
      readonly kind: "s3"
      readonly bucket: string
      /** Before every key; ends with a slash unless empty. */
      readonly prefix: string
      readonly endpoint: string | undefined
      readonly region: string | undefined
      /** The bucket in the path instead of the host's name. */
      readonly pathStyle: boolean
    }

const FORM = "must look like file:///folder or s3://bucket/prefix?endpoint=https://host&region=name"
const PARAMETERS = ["endpoint", "region", "path_style"]
// What S3 takes for a name, and what older buckets have.
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/

type Refuse = (message: string) => never

const bucketOf = (text: string, url: URL, refuse: Refuse): BlobPlace => {
  if (url.username || url.password)
    refuse("holds credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead, or a profile of ~/.aws")
  // As it was typed: the parser of addresses knows nothing of this scheme.
  const bucket = /^s3:\/\/([^/?#]*)/.exec(text)?.[1] ?? ""
  if (!BUCKET.test(bucket)) refuse(FORM)
  const strange = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (strange !== undefined) refuse(`has an unknown part '${strange}'; it takes ${PARAMETERS.join(", ")}`)
  const endpoint = url.searchParams.get("endpoint") ?? undefined
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:\/\//.test(endpoint)))
    refuse("must give its endpoint as https://host or http://host:port")
  const style = url.searchParams.get("path_style")
  if (style !== null && style !== "true" && style !== "false") refuse("takes true or false as path_style")
  const folder = decodeURIComponent(url.pathname).split("/").filter(Boolean)
  if (folder.some((part) => part === "." || part === "..")) refuse(FORM)
  return {
    kind: "s3",
    bucket,
    prefix: folder.length > 0 ? `${folder.join("/")}/` : "",
    endpoint: endpoint?.replace(/\/+$/, ""),
    region: url.searchParams.get("region") ?? undefined,
    // Servers of one's own rarely have a name for each bucket.
    pathStyle: style === null ? endpoint !== undefined : style === "true",
  }
}

/** SERVICE_BLOB_URL: `file:///folder`, or `s3://bucket/prefix?endpoint=…&region=…&path_style=…`. */
export const blobUrl = z.string().transform((text, ctx): BlobPlace => {
  class Refused extends Error {}
  const refuse: Refuse = (message) => {
    throw new Refused(message)
  }
  try {
    if (!URL.canParse(text)) return refuse(FORM)
    const url = new URL(text)
    if (url.protocol === "s3:") return bucketOf(text, url, refuse)
    // `file:recordings` would lie in the root of the disk.
    if (!/^file:\/\/\/[^/]/i.test(text)) return refuse(FORM)
    return { kind: "folder", dir: resolve(decodeURIComponent(url.pathname)) }
  } catch (error) {
    ctx.addIssue({ code: "custom", message: error instanceof Refused ? error.message : FORM })
    return z.NEVER
  }
})

/** A place as the command line takes it: also a plain path. */
export const blobPlace = z.preprocess(
  (text) =>
    typeof text === "string" && !/^(s3|file):/.test(text)
      ? pathToFileURL(resolve(text.replace(/^~(?=$|\/)/, homedir()))).href
      : text,
  blobUrl,
)
