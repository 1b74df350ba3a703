import type { IncomingMessage, ServerResponse } from "node:http"
import { constants } from "node:zlib"
import compression from "compression"

/** Smaller responses would hardly become smaller. In bytes. */
const MIN_BYTES = 1024

/** Texts. Event streams are left out: a proxy or an old client may hold compressed events back until a buffer is full. */
const COMPRESSED_TYPE =
  /^(text\/(?!event-stream)|application\/([\w.-]+\+)?(json|xml|x-ndjson|javascript|x-subrip|manifest))/

const isCompressible = (_request: unknown, response: ServerResponse): boolean =>
  COMPRESSED_TYPE.test(String(response.getHeader("content-type") ?? ""))

const middleware = compression({
  threshold: MIN_BYTES,
  filter: isCompressible as never,
  // The quality at which Brotli is about as fast as gzip, and smaller.
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
})

/**
 * Compresses what is written to a response, with Brotli or gzip, whichever the client prefers. `flush` sends what has been
 * written so far; Next.js calls it after each chunk of a stream.
 */
export const compressResponse = (request: IncomingMessage, response: ServerResponse): void => {
  middleware(request as never, response as never, () => undefined)
}
