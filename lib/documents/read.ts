import { constants } from "node:fs"
import { type FileHandle, open, readlink, realpath } from "node:fs/promises"
import { AppError } from "../domain/errors.ts"
import { isInside, outsideRoots } from "../platform/files/roots.ts"

/** Larger files are refused: their text alone would fill the memory. */
export const MAX_FILE_BYTES = 100 * 2 ** 20

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ""

/** The sentence for a path that cannot be opened; anything not expected here comes back as it is. */
export const cannotRead = (error: unknown, path: string): unknown => {
  const code = codeOf(error)
  if (["ENOENT", "ENOTDIR"].includes(code)) return new AppError("not_found", `no such file: ${path}`, { cause: error })
  if (["EACCES", "EPERM"].includes(code))
    return new AppError("forbidden", `'${path}' may not be read: give the user of this service read permission`, {
      cause: error,
    })
  if (["ELOOP", "ENAMETOOLONG", "ENXIO", "EINVAL"].includes(code) || code === "ERR_INVALID_ARG_VALUE")
    return new AppError("invalid", `'${path.slice(0, 200)}' is not a file that can be opened`, { cause: error })
  return error
}

/** Where an open descriptor really leads, where the system tells; null elsewhere. */
const pathOf = (file: FileHandle): Promise<string | null> => readlink(`/proc/self/fd/${file.fd}`).catch(() => null)

const readAll = async (file: FileHandle, path: string, size: number): Promise<Uint8Array> => {
  const tooLarge = () =>
    new AppError("too_large", `'${path}' is larger than ${MAX_FILE_BYTES / 2 ** 20} MB: split it into smaller files`)
  if (size > MAX_FILE_BYTES) throw tooLarge()
  // A file may grow while it is read.
  const parts: Uint8Array[] = []
  let total = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read({
      buffer: Buffer.allocUnsafe(Math.max(4096, size + 1 - total)),
      position: total,
    })
    if (bytesRead === 0) break
    total += bytesRead
    if (total > MAX_FILE_BYTES) throw tooLarge()
    parts.push(buffer.subarray(0, bytesRead))
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/**
 * The bytes of a regular file inside the roots. What is checked is the descriptor that is read, so a path that is
 * exchanged for a link meanwhile gives nothing away; what would block (FIFO, device) is never waited for.
 * @param path a real path; @param roots real folders; @param admit awaited before the bytes are read, with their number
 * @throws AppError `not_found`, `forbidden`, `invalid`, `too_large`
 */
export const readInside = async (
  path: string,
  roots: readonly string[],
  admit?: (size: number) => Promise<void>,
): Promise<Uint8Array> => {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(path, flags).catch((error: unknown) => {
    throw cannotRead(error, path)
  })
  try {
    const led = (await pathOf(file)) ?? (await realpath(path))
    if (!isInside(roots, led)) throw outsideRoots(path, roots, "link")
    const found = await file.stat()
    if (!found.isFile()) throw new AppError("invalid", `'${path}' is not a regular file`)
    await admit?.(found.size)
    return await readAll(file, path, found.size)
  } finally {
    await file.close()
  }
}
