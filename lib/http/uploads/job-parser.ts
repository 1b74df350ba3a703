import { AppError } from "../../domain/errors.ts"
import { startThread } from "../../platform/processes/worker-thread.ts"
import { type JobBody, type ParsedJob, parseJobBody } from "./job-body.ts"

/** What the thread answers. An error is sent by its parts, because its class would be lost. */
export type ParseAnswer =
  | { readonly job: ParsedJob }
  | { readonly error: Pick<AppError, "code" | "message" | "errors"> }

/** Parses the submission of a job. @throws AppError `bad_request`, `invalid` or `unavailable` */
export type JobParser = (body: JobBody) => Promise<ParsedJob>

/** Parsing as many bytes takes a few milliseconds. A transcript of half a million words has 28 MB, which take a second. */
const MAX_INLINE_BYTES = 500_000

const sizeOf = (body: JobBody): number => {
  if ("json" in body) return body.json.byteLength
  let size = 0
  for (const text of body.fields.values()) size += text.length
  return size
}

const parseInThread = (body: JobBody): Promise<ParsedJob> =>
  new Promise((resolve, reject) => {
    const thread = startThread("parse-job-worker", "parse-job.worker.ts", import.meta.url, body)
    const fail = (reason: string) =>
      reject(new AppError("unavailable", `The body could not be parsed: ${reason}. Send it again.`, { retry: "retry" }))
    thread.once("message", (answer: ParseAnswer) => {
      if ("job" in answer) return resolve(answer.job)
      const { code, message, errors } = answer.error
      if (code === "internal") return reject(new Error(message))
      reject(new AppError(code, message, errors ? { errors } : {}))
    })
    thread.once("error", (error) => fail(error.message))
    thread.once("exit", () => fail("its thread ended"))
  })

/**
 * Creates a parser that reads large bodies in a thread, one after the other, so that other requests do not wait for them. A
 * body takes several times its size in memory while it is parsed.
 */
export const createJobParser = (): JobParser => {
  let last: Promise<unknown> = Promise.resolve()
  return (body) => {
    if (sizeOf(body) <= MAX_INLINE_BYTES) return new Promise((resolve) => resolve(parseJobBody(body)))
    const parsed = last.then(() => parseInThread(body))
    last = parsed.catch(() => undefined)
    return parsed
  }
}
