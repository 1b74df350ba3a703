import { formatContentDisposition } from "../../domain/export/file-name.ts"

/** Lines are sent in chunks of about this size, because each chunk is compressed and sent by itself. In characters. */
const CHUNK_CHARS = 16_384

/**
 * Returns a download with one JSON object per line. Lines are read as the client takes them. If reading fails, the
 * connection breaks off, so that the client notices that the file is incomplete.
 */
export const ndjsonResponse = (lines: AsyncGenerator<unknown>, name: string): Response => {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let chunk = ""
      let isDone = false
      while (!isDone && chunk.length < CHUNK_CHARS) {
        const { done = false, value } = await lines.next()
        if (done) isDone = true
        else chunk += `${JSON.stringify(value)}\n`
      }
      if (chunk !== "") controller.enqueue(encoder.encode(chunk))
      if (isDone) controller.close()
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
  return new Response(body, {
    headers: {
      "content-type": "application/x-ndjson",
      "content-disposition": formatContentDisposition(name),
      "cache-control": "no-store",
    },
  })
}
