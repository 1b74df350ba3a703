import { createHash } from "node:crypto"
import { open, rm } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, join } from "node:path"
import { AppError } from "../../../domain/errors.ts"
import { freeBytes, makeFolder } from "../../../platform/files/folder.ts"
import { createTempName } from "../../../platform/files/temp-files.ts"
import { toStorageFullError } from "../bytes.ts"
import { keyHash } from "../keys.ts"
import type { BlobInfo, LocalBlob } from "../types.ts"
import type { Bucket } from "./client.ts"
import { readRange } from "./read.ts"

/** What the rest of the machine is left with. */
const SPARE = 64 * 2 ** 20
/** So that a worker that has room takes it meanwhile; this one would come too early each time. */
const NO_ROOM_MS = 30_000

/** @throws AppError `storage_full`, `later`: it is this host that lacks room, not the recording that is at fault */
const checkRoom = (dir: string, bytes: number): void => {
  const free = freeBytes(dir)
  if (free === null || free > bytes + SPARE) return
  const mb = (n: number) => Math.ceil(n / 2 ** 20)
  throw new AppError(
    "storage_full",
    `The recording has ${mb(bytes)} MB and ${dir} on ${hostname()} only ${mb(free)} MB of room: free some space there, or set SERVICE_DATA_DIR to a larger disk`,
    { retry: "later", retryInMs: NO_ROOM_MS },
  )
}

/**
 * Brings a blob into a file of `dir`, as a stream and in one pass, and compares it with the hash that its key tells.
 * Whatever goes wrong, no file is left; what a killed process leaves is swept by the next.
 */
export const fetchInto = async (
  b: Bucket,
  { key, bytes }: BlobInfo,
  { dir, signal }: { readonly dir: string; readonly signal: AbortSignal },
): Promise<LocalBlob> => {
  makeFolder(dir)
  checkRoom(dir, bytes)
  const ending = /\.[a-z0-9]{1,8}$/.exec(basename(key))?.[0] ?? ""
  const path = join(dir, `${createTempName()}${ending}`)
  const remove = () => rm(path, { force: true })
  const file = await open(path, "wx", 0o600)
  try {
    const hash = createHash("sha256")
    if (bytes > 0)
      for await (const chunk of readRange(b, { key, start: 0, end: bytes - 1 }, signal) as AsyncIterable<Buffer>) {
        hash.update(chunk)
        await file.write(chunk)
      }
    await file.close()
    const expected = keyHash(key)
    if (expected !== null && hash.digest("hex") !== expected)
      throw new AppError(
        "unavailable",
        `${b.place} gives other bytes for ${key} than were sent: look at its log, then send the recording again`,
        { retry: "retry" },
      )
    return { path, remove }
  } catch (error) {
    await file.close().catch(() => undefined)
    await remove()
    throw toStorageFullError(error, "retry the job")
  }
}
