import { createHash } from "node:crypto"
import { readdir, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { newId } from "../../domain/ids.ts"
import { isProcessRunning } from "../processes/process-alive.ts"

/** No transfer takes this long. Applies to all hosts, because processes of other hosts cannot be checked. */
const MAX_AGE_MS = 86_400_000

const hostHash = (): string => createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/**
 * Returns a name for a temporary file. It contains the process and the host, so that files of dead processes can be recognized
 * even in a folder that several hosts share.
 */
export const createTempName = (): string => `.incoming-${process.pid}-${hostHash()}-${newId()}`

/**
 * Returns true if the process that wrote a temporary file is dead. Files of other hosts count as orphaned after a day.
 * @param modifiedAt Unix milliseconds
 */
export const isOrphaned = (name: string, modifiedAt: number): boolean => {
  const parts = /^\.?incoming-(\d+)-(?:([0-9a-f]{8})-)?/.exec(name)
  if (!parts) return false
  if (Date.now() - modifiedAt > MAX_AGE_MS) return true
  const [, pid, host] = parts
  if (host !== undefined && host !== hostHash()) return false
  // In a container, a restarted process has the same PID.
  if (Number(pid) === process.pid) return modifiedAt < Date.now() - process.uptime() * 1000
  return !isProcessRunning(Number(pid))
}

/** Removes the temporary files of dead processes from a folder and returns their number. */
export const removeStaleTempFiles = async (dir: string): Promise<number> => {
  const names = await readdir(dir).catch(() => [] as string[])
  const left = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(dir, name)).catch(() => null)
      return found && isOrphaned(name, found.mtimeMs) ? [name] : []
    }),
  )
  await Promise.all(left.flat().map((name) => rm(join(dir, name), { recursive: true, force: true })))
  return left.flat().length
}
