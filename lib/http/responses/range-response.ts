import { Readable } from "node:stream"
import { matchesTag } from "./etag-response.ts"
import { problemBody } from "./problem.ts"

/** What is sent: read once at most, and closed where it is not read. Bytes and milliseconds. */
export type Ranged = {
  readonly size: number
  readonly mtimeMs: number
  readonly type: string
  read(range: Range): Readable
  close(): Promise<void>
}
type Range = { readonly start: number; readonly end: number }

/**
 * The one range that a header asks for (RFC 9110, 14.1.2), ends included. Null where the whole is to be sent: no
 * header, another unit, several ranges, or nonsense, all of which a server may ignore.
 */
export const rangeOf = (header: string | null, size: number): Range | "unsatisfiable" | null => {
  const match = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? "")
  if (!match || (match[1] === "" && match[2] === "")) return null
  const [first, last] = [match[1]!, match[2]!]
  if (first === "") {
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== "" && Number(last) < start) return null
  if (start >= size) return "unsatisfiable"
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) }
}

/** What If-Range allows: a range only of the very version that the caller has a part of. */
const rangeHeader = (request: Request, etag: string, lastModified: string): string | null => {
  const condition = request.headers.get("if-range")
  if (condition !== null && condition !== etag && condition !== lastModified) return null
  return request.headers.get("range")
}

/** An opened recording as an answer: whole (200), in part (206) or not at all (304, 416). Closes it when all is sent or the caller goes. */
export const rangeResponse = async (
  request: Request,
  { size, mtimeMs, type, read, close }: Ranged,
): Promise<Response> => {
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}"`
  const lastModified = new Date(mtimeMs).toUTCString()
  const common = {
    etag,
    "last-modified": lastModified,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
  }
  const without = async (status: number, body: string | null, more: Record<string, string> = {}): Promise<Response> => {
    await close()
    return new Response(body, { status, headers: { ...common, ...more } })
  }
  if (matchesTag(request.headers.get("if-none-match"), etag)) return without(304, null)
  const range = rangeOf(rangeHeader(request, etag, lastModified), size)
  if (range === "unsatisfiable")
    return without(416, problemBody(`The recording has ${size} bytes; the range begins after its end.`), {
      "content-type": "application/json",
      "content-range": `bytes */${size}`,
    })
  const { start, end } = range ?? { start: 0, end: size - 1 }
  return new Response(Readable.toWeb(read({ start, end })) as ReadableStream, {
    status: range ? 206 : 200,
    headers: {
      ...common,
      "content-type": type,
      "content-length": String(end - start + 1),
      ...(range && { "content-range": `bytes ${start}-${end}/${size}` }),
    },
  })
}
