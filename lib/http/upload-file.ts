import { createHash } from "node:crypto"
import { access, type FileHandle, open, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { AppError } from "../errors.ts"
import { makeFolder } from "../folder.ts"
import type { ReceivedFile } from "../services/submit-job.ts"
import { incomingName, ownerOf } from "../sources/incoming.ts"
import { displayName, safeExtension } from "./upload-name.ts"

const noSpace = (cause: unknown): unknown =>
  (cause as NodeJS.ErrnoException).code === "ENOSPC"
    ? new AppError("storage_full", "The disk of the service is full: free some space, then send the recording again.", {
        cause,
      })
    : cause

/** Bytes on their way: written to a temporary file and hashed, so that none of them is kept in memory. */
export type Incoming = { readonly sha256: string; readonly bytes: number; readonly temp: string }

const writeAll = async (
  file: FileHandle,
  source: Readable,
  maxBytes: number,
): Promise<{ hex: string; bytes: number }> => {
  const hash = createHash("sha256")
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    if (bytes > maxBytes)
      throw new AppError(
        "too_large",
        `The recording is larger than ${Math.floor(maxBytes / 2 ** 20)} MB, the most that SERVICE_MAX_UPLOAD_MB allows.`,
      )
    hash.update(chunk)
    await file.write(chunk)
  }
  await file.sync()
  return { hex: hash.digest("hex"), bytes }
}

/** Takes the bytes of a recording in. Whatever goes wrong, no file is left. @throws AppError `too_large`, `storage_full` */
export const receiveBytes = async (source: Readable, dir: string, maxBytes: number): Promise<Incoming> => {
  makeFolder(dir)
  const temp = join(dir, incomingName())
  const file = await open(temp, "wx", 0o600)
  try {
    const { hex, bytes } = await writeAll(file, source, maxBytes)
    await file.close()
    return { sha256: hex, bytes, temp }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(temp, { force: true })
    throw noSpace(error)
  }
}

/** Gives received bytes their place, named by their hash; bytes that are there already stay as they are. */
export const keep = async (incoming: Incoming, dir: string, givenName: string | undefined): Promise<ReceivedFile> => {
  const name = displayName(givenName)
  const path = join(dir, `${incoming.sha256}${safeExtension(name)}`)
  const known = await access(path).then(
    () => true,
    () => false,
  )
  if (known) await rm(incoming.temp, { force: true })
  else await rename(incoming.temp, path)
  return { path, name, sha256: incoming.sha256 }
}

export const discard = (incoming: Incoming): Promise<void> => rm(incoming.temp, { force: true })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Removes what processes that are gone left half received. Returns how many files that were. */
export const cleanIncoming = async (dir: string): Promise<number> => {
  const names = await readdir(dir).catch(() => [] as string[])
  const stale = names.filter((name) => {
    const owner = ownerOf(name)
    return owner !== null && !isAlive(owner)
  })
  await Promise.all(stale.map((name) => rm(join(dir, name), { recursive: true, force: true })))
  return stale.length
}
