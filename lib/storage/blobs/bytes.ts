import { createHash } from "node:crypto"
import { AppError } from "../../domain/errors.ts"

/** The number of bytes in `OpenBlob.head`. */
export const HEAD_BYTES = 4096

/** Passes chunks through and counts and hashes them. @throws AppError `too_large` past `maxBytes` */
export const countAndHash = (source: AsyncIterable<Uint8Array>, maxBytes: number) => {
  const hash = createHash("sha256")
  let bytes = 0
  let sourceError: { readonly error: unknown } | undefined
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        bytes += chunk.byteLength
        if (bytes > maxBytes)
          throw new AppError(
            "too_large",
            `The file is larger than ${Math.floor(maxBytes / 2 ** 20)} MB, the limit set by SERVICE_MAX_UPLOAD_MB.`,
          )
        hash.update(chunk)
        yield chunk
      }
    } catch (error) {
      sourceError = { error }
      throw error
    }
  }
  return {
    chunks: chunks(),
    bytes: () => bytes,
    sha256: () => hash.digest("hex"),
    /** Returns the error that the source threw, if any, instead of the given one, which may wrap it. */
    cause: (error: unknown): unknown => (sourceError ? sourceError.error : error),
  }
}

/** Passes a stream through and calls `check` with its first bytes, up to 4096, before the rest is read. */
export async function* checkHead(
  source: AsyncIterable<Uint8Array>,
  check: (head: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0)
  let isChecked = false
  for await (const chunk of source) {
    if (isChecked) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.byteLength < HEAD_BYTES) continue
    check(head.subarray(0, HEAD_BYTES))
    isChecked = true
    yield head
  }
  if (isChecked || head.byteLength === 0) return
  check(head)
  yield head
}

/** Converts ENOSPC to an AppError. Returns other errors unchanged. @param nextStep what to do after freeing space */
export const toStorageFullError = (error: unknown, nextStep: string): unknown =>
  (error as NodeJS.ErrnoException).code === "ENOSPC"
    ? new AppError("storage_full", `The disk of the service is full. Free some space, then ${nextStep}.`, {
        cause: error,
      })
    : error

export const blobNotFound = (address: string): AppError => new AppError("not_found", `no such file: ${address}`)
