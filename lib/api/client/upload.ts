import type { AudioJobInput } from "../../domain/jobs/jobs.ts"
import type { JobSubmitResponse } from "../jobs.ts"
import { EarmarkError } from "./errors.ts"
import type { Transport } from "./transport.ts"

/** The options of the job. The file is its source. */
export type UploadFields = Omit<AudioJobInput, "source">

export type UploadOptions = {
  /** Name of the file if `file` is a Blob without one. */
  readonly filename?: string
  /** Called with the bytes sent and the total size. Only browsers report progress. */
  readonly onProgress?: (sent: number, total: number) => void
  /** A key of your own, so that an upload that your program repeats creates one job. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** Returns a form with a file. The fields come first, because the service reads the form as a stream. */
export const fileForm = (file: Blob, filename: string, fields: object = {}): FormData => {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields))
    if (value !== undefined) form.set(key, typeof value === "string" ? value : JSON.stringify(value))
  form.set("file", file, filename)
  return form
}

export const fileName = (file: Blob, fallback: string): string => (file instanceof File ? file.name : fallback)

/** Uploads a recording. Browsers use XMLHttpRequest, because fetch does not report upload progress. */
export const upload = async (
  transport: Transport,
  file: Blob,
  fields: UploadFields,
  { filename, onProgress, idempotencyKey, signal }: UploadOptions,
): Promise<JobSubmitResponse> => {
  const form = fileForm(file, filename ?? fileName(file, "recording"), fields)
  if (typeof XMLHttpRequest === "undefined") return transport.json("submitJob", { body: form, idempotencyKey, signal })
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    xhr.open("POST", transport.url("submitJob"))
    xhr.setRequestHeader("accept", "application/json")
    for (const [name, value] of Object.entries(transport.headers)) xhr.setRequestHeader(name, value)
    if (idempotencyKey !== undefined) xhr.setRequestHeader("idempotency-key", idempotencyKey)
    xhr.upload.onprogress = (e) => onProgress?.(e.loaded, e.total)
    xhr.onloadend = () => signal?.removeEventListener("abort", abort)
    xhr.onabort = () => reject(signal?.reason ?? new DOMException("The upload was cancelled.", "AbortError"))
    xhr.onerror = () =>
      reject(new EarmarkError(0, "The upload failed: the service is unreachable or closed the connection. Try again."))
    xhr.onload = () => {
      try {
        const headers = new Headers({ "retry-after": xhr.getResponseHeader("retry-after") ?? "" })
        resolve(transport.read("submitJob", { status: xhr.status, headers }, xhr.responseText))
      } catch (error) {
        reject(error)
      }
    }
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener("abort", abort)
    xhr.send(form)
  })
}
