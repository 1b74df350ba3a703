import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { extname, join, sep } from "node:path"
import { Negotiator } from "negotiator"
import { requestPath } from "../request.ts"
import { matchesEtag } from "../responses/etag-response.ts"

/** In order of preference. The build writes `x.js.br` and `x.js.gz` next to `x.js` (scripts/pack.mjs). */
const SUFFIXES = { br: ".br", gzip: ".gz" } as const
type Encoding = keyof typeof SUFFIXES
const ENCODINGS = Object.keys(SUFFIXES) as Encoding[]

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
}

type CompressedFile = { readonly file: string; readonly size: number; readonly etag: string }
type Variants = Partial<Record<Encoding, CompressedFile>>

const describeFile = (file: string, encoding: Encoding): CompressedFile => {
  const { size, mtimeMs } = statSync(file)
  return { file, size, etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${encoding}"` }
}

const findVariants = (file: string): Variants =>
  Object.fromEntries(
    ENCODINGS.filter((encoding) => existsSync(file + SUFFIXES[encoding])).map((encoding) => [
      encoding,
      describeFile(file + SUFFIXES[encoding], encoding),
    ]),
  )

/** Returns the variants of every script and style in a folder by the path that they are served at. */
const indexFolder = (folder: string): Map<string, Variants> => {
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : []
  const entries = names
    .filter((name) => CONTENT_TYPES[extname(name)])
    .map((name) => [`/_next/static/${name.split(sep).join("/")}`, findVariants(join(folder, name))] as const)
  return new Map(entries.filter(([, variants]) => Object.keys(variants).length > 0))
}

/**
 * Returns a handler that serves the scripts and styles of the build as the build has compressed them, which is about a
 * quarter of their size and costs no time per request. File names contain a hash, so clients may cache them forever.
 * @param folder the folder that is served at `/_next/static/`
 * @returns the handler. It returns false, without a response, if the file has to be served uncompressed.
 */
export const createCompressedFileHandler = (
  folder: string,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const files = indexFolder(folder)
  const cache = new Map<string, Buffer>()
  const readCached = (file: string): Buffer => {
    const body = cache.get(file) ?? readFileSync(file)
    cache.set(file, body)
    return body
  }
  return (request, response) => {
    const path = requestPath(request)
    const variants = files.get(path)
    if (!variants || !["GET", "HEAD"].includes(request.method ?? "") || request.headers.range) return false
    // Also on the uncompressed response: a proxy must not serve either one to a client that needs the other.
    response.setHeader("vary", "Accept-Encoding")
    const available = Object.keys(variants)
    const encoding = new Negotiator(request).encoding(available, { preferred: ENCODINGS }) as Encoding | undefined
    const chosen = encoding && variants[encoding]
    if (!chosen) return false
    const headers = { etag: chosen.etag, "cache-control": "public, max-age=31536000, immutable" }
    if (matchesEtag(request.headers["if-none-match"], chosen.etag)) {
      response.writeHead(304, headers).end()
      return true
    }
    response.writeHead(200, {
      ...headers,
      "content-type": CONTENT_TYPES[extname(path)]!,
      "content-encoding": encoding,
      "content-length": chosen.size,
    })
    response.end(request.method === "HEAD" ? undefined : readCached(chosen.file))
    return true
  }
}
