import { createHash } from "node:crypto"
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { newId } from "../../domain/ids.ts"
import { isProcessRunning } from "../../platform/processes/process-alive.ts"

const POLL_INTERVAL_MS = 250
/** How often the holder of a lock updates the modification time of the file. */
const HEARTBEAT_INTERVAL_MS = 10_000
/** The age at which a lock expires if it is not known whether its owner is running. */
const STALE_AFTER_MS = 120_000

/** The process that holds a lock. The start time distinguishes it from a later process with the same PID. */
export type LockOwner = { readonly pid: number; readonly startTime: string; readonly host: string }

const orEmpty = (text: Promise<string>): Promise<string> => text.catch(() => "")

/** Returns a hash of the host name, the boot and the PID namespace: a PID is only valid within all three. */
const computeHostId = async (): Promise<string> => {
  const parts = [hostname(), await orEmpty(readFile("/proc/sys/kernel/random/boot_id", "utf8"))]
  parts.push(await orEmpty(readlink("/proc/self/ns/pid")))
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16)
}

/** Returns the start time of a process in ticks since boot (proc(5), field 22 of stat), or "" if it is unknown. */
const readStartTime = async (pid: number): Promise<string> => {
  const fields = await orEmpty(readFile(`/proc/${pid}/stat`, "utf8"))
  // The process name in front of the other fields may contain spaces and parentheses.
  return fields.slice(fields.lastIndexOf(")") + 2).split(" ")[19] ?? ""
}

export const currentOwner = async (): Promise<LockOwner> => ({
  pid: process.pid,
  startTime: await readStartTime(process.pid),
  host: await computeHostId(),
})

export const formatOwner = ({ pid, startTime, host }: LockOwner): string => `${pid} ${startTime || "-"} ${host}`

const OWNER_LINE = /^(\d+) (\d+|-) ([0-9a-f]{16})\b/

/** Returns true if the owner named in a lock file is running, and null if that cannot be determined on this host. */
export const isOwnerAlive = async (text: string): Promise<boolean | null> => {
  const [, pid, startTime, host] = OWNER_LINE.exec(text) ?? []
  if (host === undefined || host !== (await computeHostId())) return null
  if (!isProcessRunning(Number(pid))) return false
  return startTime === "-" ? null : (await readStartTime(Number(pid))) === startTime
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Reads a lock file. `isHeld` is false if its owner is dead or unknown and stale. Returns null if there is no lock file. */
const readLock = async (path: string): Promise<{ readonly text: string; readonly isHeld: boolean } | null> => {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)])
    // A modification time far in the future, after a change of the clock, counts as stale too.
    const isFresh = Math.abs(Date.now() - mtimeMs) < STALE_AFTER_MS
    return { text, isHeld: (await isOwnerAlive(text)) ?? isFresh }
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null
    throw error
  }
}

/** Returns true if a running process holds the lock. */
export const isLocked = async (path: string): Promise<boolean> => (await readLock(path))?.isHeld ?? false

/** Creates a lock file atomically with its content. Returns false if it already exists. */
const createLockFile = async (path: string, text: string): Promise<boolean> => {
  const temporary = `${path}.${newId()}`
  try {
    await writeFile(temporary, text)
    await link(temporary, path).catch(async (error: unknown) => {
      // On a file system without hard links, another process may see the file before its content is written. It then
      // judges the lock by its age.
      if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error) ?? ""))
        return writeFile(path, text, { flag: "wx" })
      throw error
    })
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Removes a stale lock. If another process has created a new lock in the meantime, that one is restored. */
const removeStaleLock = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.${newId()}`
  try {
    await rename(path, temporary)
    if ((await readFile(temporary, "utf8")) !== text) await link(temporary, path).catch(() => {})
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Acquires a lock. Returns the content of its file, or null if another process holds it. */
const tryLock = async (path: string): Promise<string | null> => {
  const text = `${formatOwner(await currentOwner())} ${newId()}`
  if (await createLockFile(path, text)) return text
  const found = await readLock(path)
  if (found?.isHeld) return null
  if (found) await removeStaleLock(path, found.text)
  return (await createLockFile(path, text)) ? text : null
}

/**
 * Runs `work` while holding a lock file, so that only one process at a time runs it. While another process holds the lock,
 * `waiting` is called before each new attempt.
 */
export const withLock = async <T>(
  path: string,
  { signal, waiting }: { readonly signal: AbortSignal; readonly waiting: () => Promise<void> },
  work: () => Promise<T>,
): Promise<T> => {
  let content = await tryLock(path)
  while (content === null) {
    await waiting()
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
    content = await tryLock(path)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, HEARTBEAT_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    if ((await readFile(path, "utf8").catch(() => null)) === content) await rm(path, { force: true })
  }
}
