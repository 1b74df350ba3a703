import { formatContentDisposition } from "../../domain/export/file-name.ts"

/**
 * Returns a download with one JSON object per line. Lines are read as the client takes them. If reading fails, the
 * connection breaks off, so that the client notices that the file is incomplete.
 */
export const ndjsonResponse = (lines: AsyncGenerator<unknown>, name: string): Response => {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
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
