import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { newId } from "../../../domain/ids.ts"
import { ownerLine, ownerLives, thisProcess } from "./lock-owner.ts"

const LOOK_MS = 250
/** How often a holder shows that it lives, and for how long one that cannot be asked is believed without that. */
const BEAT_MS = 10_000
const BELIEVED_MS = 120_000

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** What a lock says; null: there is none. `held`: by somebody who lives, as far as can be known. */
const look = async (path: string): Promise<{ readonly text: string; readonly held: boolean } | null> => {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)])
    // An empty one, one of another machine, and one whose time lies ahead (the clock was set) are judged by their age.
    const fresh = Math.abs(Date.now() - mtimeMs) < BELIEVED_MS
    return { text, held: (await ownerLives(text)) ?? fresh }
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null
    throw error
  }
}

/** Whether somebody who lives holds a lock. */
export const isLocked = async (path: string): Promise<boolean> => (await look(path))?.held ?? false

/** Puts a lock in its place as a whole, unless there is one. */
const place = async (path: string, text: string): Promise<boolean> => {
  const whole = `${path}.${newId()}`
  try {
    await writeFile(whole, text)
    await link(whole, path).catch(async (error: unknown) => {
      // A file system without links: written in place, whoever sees it empty goes by its age.
      if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error) ?? ""))
        return writeFile(path, text, { flag: "wx" })
      throw error
    })
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  } finally {
    await rm(whole, { force: true })
  }
}

/** Takes a lock away whose holder is gone; one that another process has put there meanwhile is put back. */
const takeAway = async (path: string, text: string): Promise<void> => {
  const aside = `${path}.${newId()}`
  try {
    await rename(path, aside)
    if ((await readFile(aside, "utf8")) !== text) await link(aside, path).catch(() => {})
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error
  } finally {
    await rm(aside, { force: true })
  }
}

/** @returns what this process wrote into the lock; null: somebody else holds it */
const tryLock = async (path: string): Promise<string | null> => {
  const text = `${ownerLine(await thisProcess())} ${newId()}`
  if (await place(path, text)) return text
  const found = await look(path)
  if (found?.held) return null
  if (found) await takeAway(path, found.text)
  return (await place(path, text)) ? text : null
}

/** Holds a lock file while `work` runs, so that one process at a time does; `waiting` is told while another does. */
export const withLock = async <T>(
  path: string,
  { signal, waiting }: { readonly signal: AbortSignal; readonly waiting: () => Promise<void> },
  work: () => Promise<T>,
): Promise<T> => {
  let mine = await tryLock(path)
  while (mine === null) {
    await waiting()
    await sleep(LOOK_MS, undefined, { signal })
    mine = await tryLock(path)
  }
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    if ((await readFile(path, "utf8").catch(() => null)) === mine) await rm(path, { force: true })
  }
}
