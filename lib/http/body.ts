import { AppError } from "../domain/errors.ts"

/** Maximum time between two chunks. A slow client that keeps sending may take hours. */
const IDLE_TIMEOUT_MS = 60_000

const timeoutError = () =>
  new AppError(
    "bad_request",
    `The request body stopped arriving: no data for ${IDLE_TIMEOUT_MS / 1000} seconds. Send it again.`,
  )

/**
 * Yields the chunks of a request body. Does not cancel the stream if the caller stops early, because that would close
 * the connection before the client has received the error response.
 * @throws AppError `bad_request` if the client disconnects or sends nothing for 60 s
 */
export async function* readChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timeoutError()), IDLE_TIMEOUT_MS)
    })
    const next = reader.read().catch((cause: unknown) => {
      throw new AppError("bad_request", "The connection closed before the request body was complete.", { cause })
    })
    try {
      const { done, value } = await Promise.race([next, timeout])
      if (done) return
      yield value
    } finally {
      clearTimeout(timer)
    }
  }
}

export const getMediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase()

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

/** Returns the bytes of a JSON body. @throws AppError `unsupported_media`, `too_large` or `bad_request` */
export const readJsonBytes = async (request: Request, maxBytes: number): Promise<Uint8Array> => {
  const type = getMediaType(request.headers)
  if (type !== "application/json")
    throw new AppError("unsupported_media", `The body must be application/json${type ? `, not ${type}` : ""}.`)
  const charset = CHARSET.exec(request.headers.get("content-type") ?? "")?.[1]?.toLowerCase()
  if (charset && !["utf-8", "utf8", "us-ascii"].includes(charset))
    throw new AppError("unsupported_media", `The body must be JSON in UTF-8, not ${charset}.`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of readChunks(request.body)) {
    size += chunk.byteLength
    if (size > maxBytes)
      throw new AppError("too_large", `The JSON body is larger than the limit of ${Math.floor(maxBytes / 2 ** 20)} MB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @throws AppError `bad_request` */
export const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new AppError("bad_request", "The body is not JSON.", { cause })
  }
}

/** @throws AppError `unsupported_media`, `too_large` or `bad_request` */
export const readJson = async (request: Request, maxBytes: number): Promise<unknown> =>
  parseJson(await readJsonBytes(request, maxBytes))
