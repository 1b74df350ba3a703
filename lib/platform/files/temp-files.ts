import { createHash } from "node:crypto"
import { readdir, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { newId } from "../../domain/ids.ts"
import { isAlive } from "../processes/process-alive.ts"

/** Nothing is on its way for so long; whoever would know whether a process of another host lives is not asked. */
const ABANDONED_MS = 86_400_000

const here = (): string => createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/**
 * A name for bytes on their way, which tells the process that writes them and its host: what a dead one left can be told
 * apart, also in a folder that several hosts share.
 */
export const incomingName = (): string => `.incoming-${process.pid}-${here()}-${newId()}`

/**
 * Whether something under such a name was left by a process that is gone. Of other hosts' that cannot be known: it is
 * taken for left after a day.
 * @param modifiedAt milliseconds since the epoch
 */
export const isLeft = (name: string, modifiedAt: number): boolean => {
  const parts = /^\.?incoming-(\d+)-(?:([0-9a-f]{8})-)?/.exec(name)
  if (!parts) return false
  if (Date.now() - modifiedAt > ABANDONED_MS) return true
  const [, pid, host] = parts
  if (host !== undefined && host !== here()) return false
  // A container starts its processes under the same numbers again.
  if (Number(pid) === process.pid) return modifiedAt < Date.now() - process.uptime() * 1000
  return !isAlive(Number(pid))
}

/** Removes what processes that are gone left half received in a folder. Returns how many files that were. */
export const removeStaleTempFiles = async (dir: string): Promise<number> => {
  const names = await readdir(dir).catch(() => [] as string[])
  const left = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(dir, name)).catch(() => null)
      return found && isLeft(name, found.mtimeMs) ? [name] : []
    }),
  )
  await Promise.all(left.flat().map((name) => rm(join(dir, name), { recursive: true, force: true })))
  return left.flat().length
}
