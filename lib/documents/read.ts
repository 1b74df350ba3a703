import { constants } from "node:fs"
import { type FileHandle, open, readlink, realpath } from "node:fs/promises"
import { AppError } from "../domain/errors.ts"
import { isInside, outsideRoots } from "../platform/files/roots.ts"
import { LIMITS } from "./limits.ts"

export const MAX_FILE_BYTES = LIMITS.fileBytes

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ""

/** Converts an error of opening a path to an AppError. Returns other errors unchanged. */
export const toReadError = (error: unknown, path: string): unknown => {
  const code = codeOf(error)
  if (["ENOENT", "ENOTDIR"].includes(code)) return new AppError("not_found", `no such file: ${path}`, { cause: error })
  if (["EACCES", "EPERM"].includes(code))
    return new AppError(
      "forbidden",
      `Couldn't read ${path}: permission denied. Give the user of this service read permission.`,
      {
        cause: error,
      },
    )
  if (["ELOOP", "ENAMETOOLONG", "ENXIO", "EINVAL"].includes(code) || code === "ERR_INVALID_ARG_VALUE")
    return new AppError(
      "invalid",
      `Couldn't open ${path.slice(0, 200)}: not a regular file. Use the path of a document.`,
      { cause: error },
    )
  return error
}

/** Returns the real path of an open file, or null if the system does not report it. */
const findRealPath = (file: FileHandle): Promise<string | null> =>
  readlink(`/proc/self/fd/${file.fd}`).catch(() => null)

const readAll = async (file: FileHandle, path: string, size: number): Promise<Uint8Array> => {
  const tooLarge = () =>
    new AppError(
      "too_large",
      `Couldn't read ${path}: it is larger than ${MAX_FILE_BYTES / 2 ** 20} MB. Split it into smaller files.`,
    )
  if (size > MAX_FILE_BYTES) throw tooLarge()
  // Reads until the end, because a file may grow in the meantime.
  const chunks: Uint8Array[] = []
  let total = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read({
      buffer: Buffer.allocUnsafe(Math.max(4096, size + 1 - total)),
      position: total,
    })
    if (bytesRead === 0) break
    total += bytesRead
    if (total > MAX_FILE_BYTES) throw tooLarge()
    chunks.push(buffer.subarray(0, bytesRead))
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/**
 * Reads a regular file inside the roots. Checks the opened file, so that a FIFO or device never blocks and replacing the path
 * by a link in between has no effect.
 * @param path a real path
 * @param roots real paths of folders
 * @param admit called with the file size; reading waits for it
 * @throws AppError `not_found`, `forbidden`, `invalid`, `too_large`
 */
export const readFileInside = async (
  path: string,
  roots: readonly string[],
  admit?: (size: number) => Promise<void>,
): Promise<Uint8Array> => {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(path, flags).catch((error: unknown) => {
    throw toReadError(error, path)
  })
  try {
    const realPath = (await findRealPath(file)) ?? (await realpath(path))
    if (!isInside(roots, realPath)) throw outsideRoots(path, roots, "link")
    const found = await file.stat()
    if (!found.isFile())
      throw new AppError("invalid", `Couldn't read ${path}: not a regular file. Use the path of a document.`)
    await admit?.(found.size)
    return await readAll(file, path, found.size)
  } finally {
    await file.close()
  }
}
