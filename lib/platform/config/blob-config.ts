import { homedir } from "node:os"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as z from "zod"
import { trimEndOf } from "../../domain/text/trim-end.ts"

/** Where recordings and documents are stored: a folder, or a bucket of S3-compatible storage with client options. */
export type BlobPlace =
  | { readonly kind: "folder"; readonly dir: string }
  | {
      readonly kind: "s3"
      readonly bucket: string
      /** Prefix of every key. Ends with a slash unless empty. */
      readonly prefix: string
      readonly endpoint: string | undefined
      readonly region: string | undefined
      /** True if the bucket is part of the path instead of the host name. */
      readonly pathStyle: boolean
    }

const FORM = "must look like file:///folder or s3://bucket/prefix?endpoint=https://host&region=name"
const PARAMETERS = ["endpoint", "region", "path_style"]
// Valid bucket names of S3, including those of older buckets.
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/

type Refuse = (message: string) => never

const parseBucket = (text: string, url: URL, refuse: Refuse): BlobPlace => {
  if (url.username || url.password)
    refuse(
      "must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead, or use a profile of ~/.aws",
    )
  // Taken from the text, because URL does not parse the host of this scheme.
  const bucket = /^s3:\/\/([^/?#]*)/.exec(text)?.[1] ?? ""
  if (!BUCKET.test(bucket)) refuse(FORM)
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) refuse(`has an unknown parameter '${unknown}'; supported: ${PARAMETERS.join(", ")}`)
  const endpoint = url.searchParams.get("endpoint") ?? undefined
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:\/\//.test(endpoint)))
    refuse("must have an endpoint such as https://host or http://host:port")
  const style = url.searchParams.get("path_style")
  if (style !== null && style !== "true" && style !== "false") refuse("must have true or false as path_style")
  const folder = decodeURIComponent(url.pathname).split("/").filter(Boolean)
  if (folder.some((part) => part === "." || part === "..")) refuse(FORM)
  return {
    kind: "s3",
    bucket,
    prefix: folder.length > 0 ? `${folder.join("/")}/` : "",
    endpoint: endpoint === undefined ? undefined : trimEndOf(endpoint, /\//),
    region: url.searchParams.get("region") ?? undefined,
    // Self-hosted servers rarely have a host name per bucket.
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
    if (url.protocol === "s3:") return parseBucket(text, url, refuse)
    // `file:recordings` would be resolved to the root folder.
    if (!/^file:\/\/\/[^/]/i.test(text)) return refuse(FORM)
    return { kind: "folder", dir: resolve(decodeURIComponent(url.pathname)) }
  } catch (error) {
    ctx.addIssue({ code: "custom", message: error instanceof Refused ? error.message : FORM })
    return z.NEVER
  }
})

/** Like `blobUrl`, but also accepts a plain path, for the command line. */
export const blobPlace = z.preprocess(
  (text) =>
    typeof text === "string" && !/^(s3|file):/.test(text)
      ? pathToFileURL(resolve(text.replace(/^~(?=$|\/)/, homedir()))).href
      : text,
  blobUrl,
)
