import type { AudioJobInput, Submitted } from "../../domain/jobs/jobs.ts"
import { EarmarkError } from "./errors.ts"
import type { Transport } from "./transport.ts"

/** The options of a job that go with an upload; the file itself is the source. */
export type UploadFields = Omit<AudioJobInput, "source">

export type UploadOptions = {
  /** Name of the recording when `file` is a Blob without one. */
  readonly filename?: string
  /** Bytes sent of bytes in all; called only where the platform tells (browsers). */
  readonly onProgress?: (sent: number, total: number) => void
  readonly signal?: AbortSignal
}

const toForm = (file: Blob, fields: UploadFields, filename: string | undefined): FormData => {
  const form = new FormData()
  // Fields go first: the service reads the form as a stream and the file is its long part.
  for (const [key, value] of Object.entries(fields))
    if (value !== undefined) form.set(key, typeof value === "string" ? value : JSON.stringify(value))
  form.set("file", file, filename ?? (file instanceof File ? file.name : "recording"))
  return form
}

/** Sends a recording. In a browser through XMLHttpRequest, the only interface there that tells upload progress. */
export const upload = async (
  transport: Transport,
  file: Blob,
  fields: UploadFields,
  options: UploadOptions,
): Promise<Submitted> => {
  const form = toForm(file, fields, options.filename)
  if (typeof XMLHttpRequest === "undefined")
    return transport.json("submitted", "/jobs/audio", { method: "POST", body: form, signal: options.signal })
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    xhr.open("POST", transport.url("/jobs/audio"))
    xhr.setRequestHeader("accept", "application/json")
    for (const [name, value] of Object.entries(transport.headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = (e) => options.onProgress?.(e.loaded, e.total)
    xhr.onloadend = () => options.signal?.removeEventListener("abort", abort)
    xhr.onabort = () => reject(options.signal?.reason ?? new DOMException("The upload was stopped.", "AbortError"))
    xhr.onerror = () => reject(new EarmarkError(0, "The service cannot be reached, or it refused the upload midway."))
    xhr.onload = () => {
      try {
        resolve(transport.read("submitted", xhr.status, xhr.responseText))
      } catch (error) {
        reject(error)
      }
    }
    if (options.signal?.aborted) return reject(options.signal.reason)
    options.signal?.addEventListener("abort", abort)
    xhr.send(form)
  })
}
