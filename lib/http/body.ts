import { AppError } from "../domain/errors.ts"

/** A client that sends nothing for so long has gone; a slow one that keeps sending may take hours. */
const IDLE_MS = 60_000

const late = () =>
  new AppError("bad_request", `The body stopped arriving: nothing came for ${IDLE_MS / 1000} seconds. Send it again.`)

/**
 * The chunks of a request body. Ending early leaves the stream alone: cancelling it would close the connection before
 * the refusal has reached the client.
 * @throws AppError `bad_request` when the client goes away or falls silent
 */
export async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late()), IDLE_MS)
    })
    const next = reader.read().catch((cause: unknown) => {
      throw new AppError("bad_request", "The connection closed before the whole body had arrived.", { cause })
    })
    try {
      const { done, value } = await Promise.race([next, silence])
      if (done) return
      yield value
    } finally {
      clearTimeout(timer)
    }
  }
}

export const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase()

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

/** @throws AppError `unsupported_media`, `too_large` or `bad_request` */
export const readJson = async (request: Request, maxBytes: number): Promise<unknown> => {
  const type = mediaType(request.headers)
  if (type !== "application/json")
    throw new AppError("unsupported_media", `The body must be application/json${type ? `, not ${type}` : ""}.`)
  const charset = CHARSET.exec(request.headers.get("content-type") ?? "")?.[1]?.toLowerCase()
  if (charset && !["utf-8", "utf8", "us-ascii"].includes(charset))
    throw new AppError("unsupported_media", `The body must be JSON in UTF-8, not ${charset}.`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(request.body)) {
    size += chunk.byteLength
    if (size > maxBytes)
      throw new AppError(
        "too_large",
        `The body is larger than ${Math.floor(maxBytes / 2 ** 20)} MB, the most that JSON may have.`,
      )
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)))
  } catch (cause) {
    throw new AppError("bad_request", "The body is not JSON.", { cause })
  }
}
