import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { newId } from "../../../domain/ids.ts"
import { readLimited } from "../../../platform/read-limited.ts"

export type FormFile = {
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly content: () => AsyncIterable<Uint8Array>
}
export type FormResponse = {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** Responses contain the text of at most a day of audio. A larger one is invalid. */
const MAX_RESPONSE_BYTES = 32 * 2 ** 20

/**
 * Sends a multipart form with one file, which is streamed with a known length, and reads the response. The caller limits
 * the duration through `signal`.
 * @throws Error with a `code` if the server is unreachable, or the reason of an aborted signal
 */
export const postForm = async (
  address: string,
  {
    fields,
    file,
    headers,
  }: {
    readonly fields: readonly (readonly [string, string])[]
    readonly file: FormFile
    readonly headers: Readonly<Record<string, string>>
  },
  signal: AbortSignal,
): Promise<FormResponse> => {
  const url = new URL(address)
  const boundary = `earmark-${newId()}`
  const part = (disposition: string, rest: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${rest}`
  const head = Buffer.from(
    fields.map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`)).join("") +
      part(`name="file"; filename="${file.name}"`, `content-type: ${file.type}\r\n\r\n`),
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length = head.length + file.bytes + tail.length
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
    method: "POST",
    headers: { ...headers, "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": length },
    signal,
  })
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve)
    request.on("error", reject)
  })
  // A server may reject the request before it has read everything. The rest is then not sent.
  let isSettled = false
  const stopSending = () => {
    isSettled = true
  }
  responded.then(stopSending, stopSending)
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!request.write(bytes))
      await Promise.race([new Promise((resolve) => request.once("drain", resolve)), responded.catch(() => {})])
  }
  await write(head)
  for await (const bytes of file.content()) {
    if (isSettled) break
    await write(bytes)
  }
  if (!isSettled) request.end(tail)
  const response = await responded
  // The declared length may be missing or wrong, so the limit applies to the received bytes.
  const body = await readLimited(response, MAX_RESPONSE_BYTES).finally(() => response.destroy())
  if (isSettled && !request.writableEnded) request.destroy()
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}
