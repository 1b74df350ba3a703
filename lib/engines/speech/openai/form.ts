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
export type FormAnswer = {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** Answers are text about at most a day of sound; more than this is none. */
const MAX_ANSWER = 32 * 2 ** 20

/**
 * Sends a form with one file (multipart/form-data), the file as a stream with its length told beforehand, and reads the
 * answer. How long all of it may take is for the signal to say.
 * @throws Error with a `code` when the server cannot be reached, the reason of the signal when that is aborted
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
): Promise<FormAnswer> => {
  const url = new URL(address)
  const boundary = `earmark-${newId()}`
  const part = (disposition: string, rest: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${rest}`
  const before = Buffer.from(
    fields.map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`)).join("") +
      part(`name="file"; filename="${file.name}"`, `content-type: ${file.type}\r\n\r\n`),
  )
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length = before.length + file.bytes + after.length
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
    method: "POST",
    headers: { ...headers, "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": length },
    signal,
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve)
    request.on("error", reject)
  })
  // A server that refuses answers before it has read everything: then the rest is not sent.
  let refused = false
  answered.then(
    () => {
      refused = true
    },
    () => {
      refused = true
    },
  )
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!request.write(bytes))
      await Promise.race([new Promise((resolve) => request.once("drain", resolve)), answered.catch(() => {})])
  }
  await write(before)
  for await (const bytes of file.content()) {
    if (refused) break
    await write(bytes)
  }
  if (!refused) request.end(after)
  const response = await answered
  // Counted as it comes: a length need not be declared, nor true.
  const body = await readLimited(response, MAX_ANSWER).finally(() => response.destroy())
  if (refused && !request.writableEnded) request.destroy()
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}
