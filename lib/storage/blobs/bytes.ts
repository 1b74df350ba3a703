import { createHash } from "node:crypto"
import { AppError } from "../../domain/errors.ts"

/** Bytes of the beginning that an opened blob shows. */
export const HEAD_BYTES = 4096

/** Passes chunks on, counted and hashed. @throws AppError `too_large` */
export const countAndHash = (source: AsyncIterable<Uint8Array>, maxBytes: number) => {
  const hash = createHash("sha256")
  let bytes = 0
  let trouble: { readonly error: unknown } | undefined
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        bytes += chunk.byteLength
        if (bytes > maxBytes)
          throw new AppError(
            "too_large",
            `The recording is larger than ${Math.floor(maxBytes / 2 ** 20)} MB, the most that SERVICE_MAX_UPLOAD_MB allows.`,
          )
        hash.update(chunk)
        yield chunk
      }
    } catch (error) {
      trouble = { error }
      throw error
    }
  }
  return {
    chunks: chunks(),
    bytes: () => bytes,
    sha256: () => hash.digest("hex"),
    /** What the source itself threw, in whatever it is wrapped by then; else the error that is given. */
    cause: (error: unknown): unknown => (trouble ? trouble.error : error),
  }
}

/** The sentence for a disk that is full; any other error comes back as it is. */
export const toStorageFullError = (error: unknown, then: string): unknown =>
  (error as NodeJS.ErrnoException).code === "ENOSPC"
    ? new AppError("storage_full", `The disk of the service is full: free some space, then ${then}.`, { cause: error })
    : error

/** What was named is not there. */
export const noBlob = (address: string): AppError => new AppError("not_found", `no such file: ${address}`)
