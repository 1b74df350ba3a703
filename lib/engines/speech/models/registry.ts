import { rm } from "node:fs/promises"
import { join } from "node:path"
import { AppError } from "../../../domain/errors.ts"
import { EngineUnavailableError } from "../errors.ts"
import { findModel } from "./catalog.ts"
import { createFolders, exists, makeRoom, PLAIN_NAME, unknownModel } from "./folders.ts"
import { openWeb } from "./http-download.ts"
import { withLock } from "./lock.ts"
import { damagedFile } from "./manifest.ts"
import { addressOf, createPuller } from "./pull.ts"
import { listStates } from "./states.ts"
import type { ModelState, PullOptions, ShelfOptions } from "./types.ts"

const REACH_MS = 1500

/** The models of this machine: what there is, and fetching what is missing. */
export const createModelRegistry = (options: ShelfOptions) => {
  const { dir, offline, mirror, proxy } = options
  const folders = createFolders(dir)
  const { folderOf, incomingOf, isPresent, lockOf, nameOf } = folders
  const fetchModel = createPuller(folders, options)
  /** Models whose files were compared with their checksums by this process. */
  const verified = new Set<string>()

  const pull = async (name: string, given: PullOptions): Promise<string> => {
    const folder = await fetchModel(name, given)
    verified.add(nameOf(name))
    return folder
  }

  /** The file of a model that is not what it was when it came; null: all are. A broken one makes native code abort. */
  const damaged = async (name: string): Promise<string | null> => {
    if (verified.has(nameOf(name))) return null
    const file = await damagedFile(folderOf(name), findModel(name)?.files ?? [])
    if (file === null) verified.add(nameOf(name))
    return file
  }

  return {
    /** Whether fetching is forbidden here. */
    offline,
    list: (): Promise<ModelState[]> => listStates(folders),
    isPresent,
    folderOf,
    /** Bytes that pulling these would fetch, about. */
    missingBytes: async (names: readonly string[]): Promise<number> => {
      const missing = await Promise.all(
        names.map(async (name) => ((await isPresent(name)) ? 0 : (findModel(name)?.bytes ?? 0))),
      )
      return missing.reduce((sum, bytes) => sum + bytes, 0)
    },
    /** Fetches a model, also when it is there. @returns its folder @throws EngineUnfit with the reason and what to do */
    pull,
    /** The folder of a model whose files are whole; fetched when it is missing. @throws EngineUnfit */
    ensure: async (name: string, given: PullOptions): Promise<string> => {
      if (!(await isPresent(name))) return pull(name, given)
      const file = await damaged(name)
      if (file !== null)
        throw new EngineUnavailableError(
          "unavailable",
          `the model ${nameOf(name)} is damaged (${file} has a wrong checksum): \`npx earmark models pull ${nameOf(name)}\` fetches it anew`,
        )
      return folderOf(name)
    },
    /** Makes a model whole: one that is missing or damaged is fetched. @throws EngineUnfit */
    mend: async (name: string, given: PullOptions): Promise<string> =>
      (await isPresent(name)) && (await damaged(name)) === null ? folderOf(name) : pull(name, given),
    /** @returns whether there was anything to remove @throws AppError `conflict` while somebody fetches it */
    remove: async (name: string): Promise<boolean> => {
      if (!PLAIN_NAME.test(name)) throw unknownModel(name)
      const places = [folderOf(name), incomingOf(name)]
      const failure = folders.failureOf(name)
      if (!(await Promise.all(places.map(exists))).some(Boolean)) return false
      const busy = async (): Promise<never> => {
        throw new AppError("conflict", `the model ${nameOf(name)} is being fetched: remove it when that has ended`)
      }
      makeRoom(join(dir, ".incoming"))
      const signal = new AbortController().signal
      await withLock(lockOf(name), { signal, waiting: busy }, async () => {
        for (const place of [...places, failure]) await rm(place, { recursive: true, force: true })
      })
      verified.delete(nameOf(name))
      return true
    },
    /** Whether a model could be fetched now: somebody answers at the address of its files. */
    isReachable: async (name: string): Promise<boolean> => {
      const url = findModel(name)?.files[0]?.url
      if (offline || url === undefined) return false
      try {
        const signal = AbortSignal.timeout(REACH_MS)
        const address = new URL("/robots.txt", addressOf(url, mirror)).href
        const response = await openWeb(address, { proxy, idleMs: REACH_MS, signal })
        response.destroy()
        return true
      } catch {
        return false
      }
    },
  }
}
export type Shelf = ReturnType<typeof createModelRegistry>
