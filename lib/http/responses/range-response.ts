import { Readable } from "node:stream"
import { REQUEST_ID_HEADER } from "../request-id.ts"
import { errorBody } from "./error-response.ts"
import { matchesEtag } from "./etag-response.ts"

/** A file to send. Either `read` or `close` is called, once. */
export type RangeSource = {
  /** In bytes. */
  readonly size: number
  readonly mtimeMs: number
  /** The content type. */
  readonly type: string
  read(range: ByteRange): Readable
  close(): Promise<void>
}
/** First and last byte, both included. */
type ByteRange = { readonly start: number; readonly end: number }

/**
 * Parses a Range header with a single byte range (RFC 9110, 14.1.2). Returns null if the whole file is to be sent: without
 * a header, for another unit, several ranges or invalid syntax, all of which a server may ignore.
 */
export const parseRange = (header: string | null, size: number): ByteRange | "unsatisfiable" | null => {
  const match = /^bytes=\s*(?:(\d{1,15})\s*)?-\s*(?:(\d{1,15})\s*)?$/i.exec(header ?? "")
  const [first, last] = [match?.[1] ?? "", match?.[2] ?? ""]
  if (first === "" && last === "") return null
  if (first === "") {
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== "" && Number(last) < start) return null
  if (start >= size) return "unsatisfiable"
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Returns the Range header, or null if If-Range names another version than the current one. */
const applicableRange = (request: Request, etag: string, lastModified: string): string | null => {
  const condition = request.headers.get("if-range")
  if (condition !== null && condition !== etag && condition !== lastModified) return null
  return request.headers.get("range")
}

/**
 * Returns a response with the whole file (200), a part of it (206), or no content (304, 416). Closes the file when the
 * response has been sent or the client disconnects.
 */
export const rangeResponse = async (
  request: Request,
  { size, mtimeMs, type, read, close }: RangeSource,
): Promise<Response> => {
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}"`
  const lastModified = new Date(mtimeMs).toUTCString()
  const headers = {
    etag,
    "last-modified": lastModified,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
  }
  if (matchesEtag(request.headers.get("if-none-match"), etag)) {
    await close()
    return new Response(null, { status: 304, headers })
  }
  const range = parseRange(applicableRange(request, etag, lastModified), size)
  if (range === "unsatisfiable") {
    await close()
    const detail = `The requested range begins after the end of the recording, which has ${size} bytes.`
    return new Response(errorBody({ detail, code: "bad_range", requestId: request.headers.get(REQUEST_ID_HEADER) }), {
      status: 416,
      headers: { ...headers, "content-type": "application/json", "content-range": `bytes */${size}` },
    })
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  return new Response(Readable.toWeb(read({ start, end })) as ReadableStream, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      "content-type": type,
      "content-length": String(end - start + 1),
      ...(range && { "content-range": `bytes ${start}-${end}/${size}` }),
    },
  })
}
