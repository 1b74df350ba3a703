import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { text } from "node:stream/consumers"
import { newId } from "../../ids.ts"

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

/** A server may think about ten minutes of sound for long; one that is gone is noticed by its connection. */
const IDLE_MS = 30 * 60_000
/** Answers are text; more than this is none. */
const MAX_ANSWER = 64 * 2 ** 20

/**
 * Sends a form with one file (multipart/form-data), the file as a stream with its length told beforehand, and reads the
 * answer. @throws Error with a `code` when the server cannot be reached, the reason of the signal when that is aborted
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
    timeout: IDLE_MS,
    signal,
  })
  request.on("timeout", () =>
    request.destroy(Object.assign(new Error("the server fell silent"), { code: "ETIMEDOUT" })),
  )
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
  const declared = Number(response.headers["content-length"] ?? 0)
  if (declared > MAX_ANSWER) throw new Error("the answer is too large")
  const body = await text(response)
  if (refused && !request.writableEnded) request.destroy()
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}
