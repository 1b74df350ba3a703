import { open, readFile, rm } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { isAlive } from "../../alive.ts"

const LOOK_MS = 250

const ownerOf = async (path: string): Promise<number> => Number(await readFile(path, "utf8").catch(() => ""))

/** Whether somebody who lives holds a lock. */
export const isLocked = async (path: string): Promise<boolean> => {
  const owner = await ownerOf(path)
  return owner > 0 && isAlive(owner)
}

/** Makes the lock, unless somebody who lives has it; that of a dead process is taken away. */
const tryLock = async (path: string): Promise<boolean> => {
  try {
    const file = await open(path, "wx")
    await file.write(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    const owner = await ownerOf(path)
    // Written in a moment: an empty one is being made.
    if (owner === 0 || isAlive(owner)) return false
    await rm(path, { force: true })
    return tryLock(path)
  }
}

/** Holds a lock file while `work` runs, so that one process at a time does; `waiting` is told while another does. */
export const withLock = async <T>(
  path: string,
  { signal, waiting }: { readonly signal: AbortSignal; readonly waiting: () => Promise<void> },
  work: () => Promise<T>,
): Promise<T> => {
  while (!(await tryLock(path))) {
    await waiting()
    await sleep(LOOK_MS, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}
