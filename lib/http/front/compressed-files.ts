import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { extname, join, sep } from "node:path"
import { matchesTag } from "../responses/etag-response.ts"

/** Best first. The build writes `x.js.br` and `x.js.gz` beside `x.js` (scripts/pack.mjs). */
const CODINGS = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const
type Coding = (typeof CODINGS)[number]

const TYPES: Readonly<Record<string, string>> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
}

/** How much a caller wants a coding (RFC 9110, 12.5.3), from 0 (not at all) to 1. */
const wish = (accept: string, coding: string): number => {
  let any = 0
  for (const part of accept.toLowerCase().split(",")) {
    const [name, ...parameters] = part.split(";").map((s) => s.trim())
    const q = parameters.find((p) => p.startsWith("q="))
    const value = q === undefined ? 1 : Number(q.slice(2)) || 0
    if (name === coding) return value
    if (name === "*") any = value
  }
  return any
}

/** The coding in which a file is to be sent, of those in which it is there; null: as it is. */
export const codingFor = <T extends { readonly name: string }>(
  accept: string | undefined,
  there: readonly T[],
): T | null => {
  let best: T | null = null
  let most = 0
  for (const coding of there) {
    const wanted = wish(accept ?? "", coding.name)
    if (wanted > most) [best, most] = [coding, wanted]
  }
  return best
}

type Packed = Coding & { readonly file: string; readonly size: number; readonly etag: string }

const packed = (file: string, coding: Coding): Packed => {
  const { size, mtimeMs } = statSync(file + coding.suffix)
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${coding.name}"`
  return { ...coding, file: file + coding.suffix, size, etag }
}

/**
 * Scripts and styles of the build, sent as the build has packed them: a browser fetches a quarter of the bytes, and
 * nothing is packed while it waits. Their names hold a hash of what is in them, so they are kept for good.
 * @param dir the folder that is served under `/_next/static/`
 * @returns answers a request and says so, or leaves it to whoever serves the file as it is
 */
export const packedFiles = (dir: string): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const files = new Map<string, readonly Packed[]>()
  for (const name of existsSync(dir) ? (readdirSync(dir, { recursive: true }) as string[]) : []) {
    const file = join(dir, name)
    const there = CODINGS.filter(({ suffix }) => existsSync(file + suffix))
    if (TYPES[extname(name)] && there.length > 0)
      files.set(
        `/_next/static/${name.split(sep).join("/")}`,
        there.map((coding) => packed(file, coding)),
      )
  }
  const read = new Map<string, Buffer>()
  const bodyOf = ({ file }: Packed): Buffer => {
    const body = read.get(file) ?? readFileSync(file)
    read.set(file, body)
    return body
  }
  return (request, response) => {
    const path = (request.url ?? "").split("?")[0]!
    const there = files.get(path)
    if (!there || !["GET", "HEAD"].includes(request.method ?? "") || request.headers.range) return false
    // Whatever is sent now, a cache on the way must not hand it to a caller who cannot read it.
    response.setHeader("vary", "Accept-Encoding")
    const chosen = codingFor(request.headers["accept-encoding"], there)
    if (!chosen) return false
    const headers = { etag: chosen.etag, "cache-control": "public, max-age=31536000, immutable" }
    if (matchesTag(request.headers["if-none-match"] ?? null, chosen.etag)) {
      response.writeHead(304, headers).end()
      return true
    }
    response.writeHead(200, {
      ...headers,
      "content-type": TYPES[extname(path)]!,
      "content-encoding": chosen.name,
      "content-length": chosen.size,
    })
    response.end(request.method === "HEAD" ? undefined : bodyOf(chosen))
    return true
  }
}
