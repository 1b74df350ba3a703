import { EarmarkError, errorOf } from "#lib/api/client/errors.ts"
import { client } from "../../api/client.ts"

/** Smaller files are sent in one form, which needs fewer requests. */
export const RESUMABLE_MIN_BYTES = 50 * 2 ** 20
/** The waits between attempts to reach the service again. They begin anew with each byte that arrives. */
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000, 10_000, ...Array<number>(20).fill(30_000)]
const CONFLICT = 409

type UploadEvents = { readonly signal: AbortSignal; readonly onProgress: (sent: number, total: number) => void }
type TusResponse = { getStatus(): number; getBody(): string }

const toError = (error: Error & { originalResponse?: TusResponse | null }): Error => {
  const response = error.originalResponse
  if (response) return errorOf({ status: response.getStatus(), headers: new Headers() }, response.getBody())
  return new EarmarkError(0, "The upload was interrupted: the service is unreachable. Try again to continue it.")
}

/** Returns true if the upload can continue: the connection is lost, or the service is not ready. */
const canContinue = (error: Error & { originalResponse?: TusResponse | null }): boolean => {
  const status = error.originalResponse?.getStatus() ?? 0
  return status === 0 || status === CONFLICT || (status >= 500 && status !== 507)
}

/**
 * Uploads a file so that it continues after a lost connection, and after a reload when the same file is chosen again.
 * Returns the source of its job. An abort deletes the upload.
 * @throws EarmarkError
 */
export const uploadFile = async (file: File, { signal, onProgress }: UploadEvents): Promise<string> => {
  const { Upload } = await import("tus-js-client")
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: new URL("/uploads", window.location.href).href,
      metadata: { filename: file.name },
      retryDelays: RETRY_DELAYS_MS,
      removeFingerprintOnSuccess: true,
      onProgress: (sent, total) => onProgress(sent, total ?? file.size),
      onShouldRetry: (error) => canContinue(error),
      onError: (error) => reject(toError(error)),
      onSuccess: () => resolve(`upload:${upload.url!.split("/").at(-1)}`),
    })
    signal.addEventListener("abort", () => {
      upload.abort(true).catch(() => undefined)
      reject(signal.reason)
    })
    const start = async () => {
      const [previous] = await upload.findPreviousUploads()
      if (signal.aborted) return
      if (previous) upload.resumeFromPreviousUpload(previous)
      upload.start()
    }
    start().catch(reject)
  })
}

/** Uploads a recording and submits its job. Returns the ID of the job. @throws EarmarkError */
export const uploadRecording = async (file: File, title: string | undefined, events: UploadEvents): Promise<string> => {
  const { signal } = events
  if (file.size < RESUMABLE_MIN_BYTES) return (await client.upload(file, { title }, events)).job_id
  const source = await uploadFile(file, events)
  return (await client.submit({ source, title }, { signal })).job_id
}
