import { constants, type Dirent, statSync } from "node:fs"
import {
  access,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from "node:fs/promises"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import type { Readable } from "node:stream"
import pMap from "p-map"
import { AppError } from "../../domain/errors.ts"
import { freeBytes, makeFolder, nearestFolder } from "../../platform/files/folder.ts"
import { createTempName, removeStaleTempFiles } from "../../platform/files/temp-files.ts"
import { blobNotFound, countAndHash, HEAD_BYTES } from "./bytes.ts"
import { createMountCheck, toFolderError } from "./mount-check.ts"
import type { BlobInfo, BlobStore, IncomingBlob, OpenBlob } from "./types.ts"

const CHUNK_BYTES = 256 * 1024
/** How many entries of a folder are read at a time while blobs are listed. */
const LIST_CONCURRENCY = 16

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "")

/** Writes the entries of a folder to disk, so that a renamed file survives a power cut. Some shares cannot do this. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, "r").catch(() => null)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

const nullIfMissing = (error: unknown): null => {
  if (isMissing(error)) return null
  throw error
}

/**
 * Opens a blob store in a folder, which may be shared by several hosts. The first upload creates the folder.
 * @param mounted The folder is a mounted share. It is never created, and methods throw while it is unmounted.
 */
export const openBlobFolder = (folder: string, { mounted = false } = {}): BlobStore => {
  const dir = resolve(folder)
  const assertMounted = mounted ? createMountCheck(dir) : async () => {}
  /** Runs `work` and converts its errors to AppErrors. */
  const useFolder = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await assertMounted()
      return await work()
    } catch (error) {
      throw toFolderError(error, dir)
    }
  }
  const keyOf = (address: string): string | null => {
    if (!isAbsolute(address)) return null
    const key = relative(dir, address)
    return key === "" || key === ".." || key.startsWith(`..${sep}`) ? null : key
  }
  const pathOf = (key: string): string => {
    const path = join(dir, key)
    if (keyOf(path) !== key) throw blobNotFound(key)
    return path
  }
  /** Returns the path of a key, or null if any part of it is a symbolic link. The store itself creates no links. */
  const realPathOf = async (key: string): Promise<string | null> => {
    const path = pathOf(key)
    const [real, top] = await Promise.all([realpath(path).catch(nullIfMissing), realpath(dir).catch(nullIfMissing)])
    return real !== null && top !== null && real === join(top, key) ? real : null
  }
  const describe = async (key: string): Promise<BlobInfo | null> => {
    const path = await realPathOf(key)
    const found = path === null ? null : await stat(path).catch(nullIfMissing)
    return found?.isFile() ? { key, bytes: found.size, modifiedAt: found.mtimeMs } : null
  }

  const receive: BlobStore["receive"] = async (source, { maxBytes }) => {
    const temp = join(dir, createTempName())
    // `sweep` removes the file if this fails.
    const discard = () => rm(temp, { force: true }).catch(() => undefined)
    const file = await useFolder(async () => {
      if (!mounted) makeFolder(dir)
      return open(temp, "wx", 0o600)
    })
    try {
      const { chunks, bytes, sha256 } = countAndHash(source, maxBytes)
      for await (const chunk of chunks) await file.write(chunk)
      await file.sync()
      await file.close()
      const keepAs = (key: string) => useFolder(() => keep(temp, key))
      return { sha256: sha256(), bytes: bytes(), keep: keepAs, discard } satisfies IncomingBlob
    } catch (error) {
      await file.close().catch(() => undefined)
      await discard()
      throw toFolderError(error, dir)
    }
  }
  /** Creates the parent folders of a key, but never `dir` itself, which may have been unmounted in the meantime. */
  const makeParents = async (path: string): Promise<void> => {
    if (path === dir) return
    await makeParents(dirname(path))
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  }
  const keep = async (temp: string, key: string): Promise<boolean> => {
    const path = pathOf(key)
    await makeParents(dirname(path))
    const exists = await access(path).then(
      () => true,
      () => false,
    )
    if (exists) await rm(temp, { force: true })
    else {
      await rename(temp, path)
      await syncFolder(dirname(path))
    }
    return !exists
  }

  const readOpened = async (file: FileHandle): Promise<OpenBlob | null> => {
    const found = await file.stat()
    if (!found.isFile()) return null
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    return {
      bytes: found.size,
      modifiedAt: found.mtimeMs,
      head: head.subarray(0, bytesRead),
      // The stream closes the file when it ends or is destroyed.
      read: ({ start, end }): Readable => file.createReadStream({ start, end, highWaterMark: CHUNK_BYTES }),
      close: () => file.close(),
    }
  }

  /** Lists the files below a folder. Entries of folders are not followed if they are symbolic links. */
  const listBelow = async (prefix: string, parent: string): Promise<readonly BlobInfo[]> => {
    const entries = await readdir(join(dir, parent), { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
    const listEntry = async (entry: Dirent): Promise<readonly BlobInfo[]> => {
      const key = parent === "" ? entry.name : `${parent}/${entry.name}`
      if (parent === "" && entry.name.startsWith(".")) return []
      if (entry.isDirectory())
        return prefix.startsWith(`${key}/`) || key.startsWith(prefix) ? listBelow(prefix, key) : []
      if (!entry.isFile() || !key.startsWith(prefix)) return []
      const found = await lstat(join(dir, key)).catch(nullIfMissing)
      return found ? [{ key, bytes: found.size, modifiedAt: found.mtimeMs }] : []
    }
    return (await pMap(entries, listEntry, { concurrency: LIST_CONCURRENCY })).flat()
  }

  return {
    kind: "folder",
    location: dir,
    addressOf: (key) => join(dir, key),
    keyOf,
    receive,
    stat: (key) => useFolder(() => describe(key)),
    open: (key) =>
      useFolder(async () => {
        const path = await realPathOf(key)
        if (path === null) return null
        // Checks the opened file, so that a FIFO or device never blocks and the file cannot be replaced in between.
        const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
        const file = await open(path, flags).catch(nullIfMissing)
        const blob = file && (await readOpened(file))
        if (file && !blob) await file.close()
        return blob
      }),
    file: (key) =>
      useFolder(async () => {
        const path = await realPathOf(key)
        if (path !== null) return { path }
        // The share may have been unmounted in the meantime.
        await assertMounted()
        throw blobNotFound(join(dir, key))
      }),
    link: async () => null,
    remove: (key) =>
      useFolder(async () => {
        const path = pathOf(key)
        await rm(path, { force: true })
        // Also removes the parent folder if it is empty.
        if (dirname(path) !== dir) await rmdir(dirname(path)).catch(() => undefined)
      }),
    list: async function* (prefix) {
      await assertMounted()
      yield* await listBelow(prefix, "")
    },
    check: async () => {
      await assertMounted()
      // Checks the nearest existing folder, so that the check creates nothing.
      const nearest = nearestFolder(dir)
      await useFolder(() => access(nearest, constants.R_OK | constants.W_OK | constants.X_OK))
      if (!statSync(nearest).isDirectory())
        throw new AppError(
          "unavailable",
          `Couldn't write to ${dir}: ${nearest} is a file. Set SERVICE_BLOB_URL to another folder.`,
        )
      const free = freeBytes(dir)
      return free === null ? dir : `${dir}, ${(free / 2 ** 30).toFixed(1)} GiB free`
    },
    sweep: () => removeStaleTempFiles(dir),
    close: () => undefined,
  }
}
