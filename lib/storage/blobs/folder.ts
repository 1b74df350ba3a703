import { constants, statSync } from "node:fs"
import { access, type FileHandle, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from "node:fs/promises"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import type { Readable } from "node:stream"
import { AppError } from "../../domain/errors.ts"
import { freeBytes, makeFolder, nearestFolder } from "../../platform/files/folder.ts"
import { createTempName, removeStaleTempFiles } from "../../platform/files/temp-files.ts"
import { countAndHash, HEAD_BYTES, noBlob } from "./bytes.ts"
import { createMountCheck, folderError } from "./mount-check.ts"
import type { BlobInfo, BlobStore, IncomingBlob, OpenBlob } from "./types.ts"

const CHUNK = 256 * 1024

const isGone = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "")

const orNull = (error: unknown): null => {
  if (isGone(error)) return null
  throw error
}

/**
 * Blobs as files of one folder: this machine's, or one that several hosts see. Not made before the first is received;
 * with `mounted` it is there already and is never made, and while it is away every method says so.
 */
export const openFolder = (folder: string, { mounted = false } = {}): BlobStore => {
  const dir = resolve(folder)
  const isThere = mounted ? createMountCheck(dir) : async () => {}
  /** Works on the folder; what fails becomes a sentence. */
  const at = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await isThere()
      return await work()
    } catch (error) {
      throw folderError(error, dir)
    }
  }
  const keyOf = (address: string): string | null => {
    if (!isAbsolute(address)) return null
    const way = relative(dir, address)
    return way === "" || way === ".." || way.startsWith(`..${sep}`) ? null : way
  }
  const pathOf = (key: string): string => {
    const path = join(dir, key)
    if (keyOf(path) !== key) throw noBlob(key)
    return path
  }
  /** The path, if nothing on the way to it is a link: what lies here was put here as a file. */
  const realPathOf = async (key: string): Promise<string | null> => {
    const path = pathOf(key)
    const [real, top] = await Promise.all([realpath(path).catch(orNull), realpath(dir).catch(orNull)])
    return real !== null && top !== null && real === join(top, key) ? real : null
  }
  const describe = async (key: string): Promise<BlobInfo | null> => {
    const path = await realPathOf(key)
    const found = path === null ? null : await stat(path).catch(orNull)
    return found?.isFile() ? { key, bytes: found.size, modifiedAt: found.mtimeMs } : null
  }

  const receive: BlobStore["receive"] = async (source, { maxBytes }) => {
    const temp = join(dir, createTempName())
    // What stays is swept.
    const discard = () => rm(temp, { force: true }).catch(() => undefined)
    const file = await at(async () => {
      if (!mounted) makeFolder(dir)
      return open(temp, "wx", 0o600)
    })
    try {
      const { chunks, bytes, sha256 } = countAndHash(source, maxBytes)
      for await (const chunk of chunks) await file.write(chunk)
      await file.sync()
      await file.close()
      const kept = (key: string) => at(() => keep(temp, key))
      return { sha256: sha256(), bytes: bytes(), keep: kept, discard } satisfies IncomingBlob
    } catch (error) {
      await file.close().catch(() => undefined)
      await discard()
      throw folderError(error, dir)
    }
  }
  /** Makes folders below this one, and never itself: it may be gone since it was looked at. */
  const makeBelow = async (path: string): Promise<void> => {
    if (path === dir) return
    await makeBelow(dirname(path))
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  }
  const keep = async (temp: string, key: string): Promise<void> => {
    const path = pathOf(key)
    await makeBelow(dirname(path))
    const known = await access(path).then(
      () => true,
      () => false,
    )
    if (known) await rm(temp, { force: true })
    else await rename(temp, path)
  }

  const opened = async (file: FileHandle): Promise<OpenBlob | null> => {
    const found = await file.stat()
    if (!found.isFile()) return null
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    return {
      bytes: found.size,
      modifiedAt: found.mtimeMs,
      head: head.subarray(0, bytesRead),
      // The stream closes the file when it ends or is left.
      read: ({ start, end }): Readable => file.createReadStream({ start, end, highWaterMark: CHUNK }),
      close: () => file.close(),
    }
  }

  async function* below(prefix: string, under: string): AsyncGenerator<BlobInfo> {
    const entries = await readdir(join(dir, under), { withFileTypes: true }).catch((error: unknown) => {
      if (isGone(error)) return []
      throw error
    })
    for (const entry of entries) {
      const key = under === "" ? entry.name : `${under}/${entry.name}`
      if (under === "" && entry.name.startsWith(".")) continue
      if (entry.isDirectory() && (prefix.startsWith(`${key}/`) || key.startsWith(prefix))) yield* below(prefix, key)
      else if (entry.isFile() && key.startsWith(prefix)) {
        const info = await describe(key)
        if (info) yield info
      }
    }
  }

  return {
    kind: "folder",
    place: dir,
    addressOf: (key) => join(dir, key),
    keyOf,
    receive,
    stat: (key) => at(() => describe(key)),
    open: (key) =>
      at(async () => {
        const path = await realPathOf(key)
        if (path === null) return null
        // Checked on the opened file: nothing that blocks (FIFO, device) is waited for, nothing can be put in its place.
        const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
        const file = await open(path, flags).catch(orNull)
        const blob = file && (await opened(file))
        if (file && !blob) await file.close()
        return blob
      }),
    file: (key) =>
      at(async () => {
        const path = await realPathOf(key)
        if (path !== null) return { path }
        // The whole folder may have gone meanwhile.
        await isThere()
        throw noBlob(join(dir, key))
      }),
    link: async () => null,
    remove: (key) =>
      at(async () => {
        const path = pathOf(key)
        await rm(path, { force: true })
        // A folder that held this alone goes with it.
        if (dirname(path) !== dir) await rmdir(dirname(path)).catch(() => undefined)
      }),
    list: async function* (prefix) {
      await isThere()
      yield* below(prefix, "")
    },
    check: async () => {
      await isThere()
      // It is not made by being looked at.
      const nearest = nearestFolder(dir)
      await at(() => access(nearest, constants.R_OK | constants.W_OK | constants.X_OK))
      if (!statSync(nearest).isDirectory())
        throw new AppError("unavailable", `${dir} cannot be written to, for ${nearest} is a file: set SERVICE_BLOB_URL`)
      const free = freeBytes(dir)
      return free === null ? dir : `${dir}, ${(free / 2 ** 30).toFixed(1)} GiB free`
    },
    sweep: () => removeStaleTempFiles(dir),
    close: () => undefined,
  }
}
