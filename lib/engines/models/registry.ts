import { rm } from "node:fs/promises"
import { join } from "node:path"
import { AppError } from "../../domain/errors.ts"
import { EngineUnavailableError } from "../errors.ts"
import { findModel } from "./catalog.ts"
import { createModelFolder, createModelFolders, exists, MODEL_NAME, unknownModelError } from "./folders.ts"
import { httpGet } from "./http-get.ts"
import { withLock } from "./lock.ts"
import { findDamagedFile } from "./manifest.ts"
import { listModelStates } from "./model-states.ts"
import { applyMirror, createModelPuller } from "./pull.ts"
import type { ModelRegistryOptions, ModelState, PullOptions } from "./types.ts"

const REACHABILITY_TIMEOUT_MS = 1500

/** Creates the registry of the models on this machine. It lists, downloads, verifies and removes models. */
export const createModelRegistry = (options: ModelRegistryOptions) => {
  const { dir, offline, mirror, proxy } = options
  const folders = createModelFolders(dir)
  const { modelDir, downloadDir, isPresent, lockPath, canonicalName } = folders
  const pullModel = createModelPuller(folders, options)
  /** Models whose checksums this process has verified. */
  const verified = new Set<string>()

  const pull = async (name: string, options: PullOptions): Promise<string> => {
    const folder = await pullModel(name, options)
    verified.add(canonicalName(name))
    return folder
  }

  /** Returns the first damaged file of a model, or null. A damaged file would abort the native code that loads it. */
  const findDamage = async (name: string): Promise<string | null> => {
    if (verified.has(canonicalName(name))) return null
    const file = await findDamagedFile(modelDir(name), findModel(name)?.files ?? [])
    if (file === null) verified.add(canonicalName(name))
    return file
  }

  return {
    /** True if downloads are forbidden. */
    offline,
    list: (): Promise<ModelState[]> => listModelStates(folders),
    isPresent,
    modelDir,
    /** Returns the approximate number of bytes to download for those of the models that are missing. */
    missingBytes: async (names: readonly string[]): Promise<number> => {
      const missing = await Promise.all(
        names.map(async (name) => ((await isPresent(name)) ? 0 : (findModel(name)?.bytes ?? 0))),
      )
      return missing.reduce((sum, bytes) => sum + bytes, 0)
    },
    /** Downloads a model, even if it is installed. Returns its folder. @throws EngineUnavailableError */
    pull,
    /** Returns the folder of a verified model, after downloading it if it is missing. @throws EngineUnavailableError */
    ensure: async (name: string, options: PullOptions): Promise<string> => {
      if (!(await isPresent(name))) return pull(name, options)
      const file = await findDamage(name)
      if (file !== null)
        throw new EngineUnavailableError(
          "unavailable",
          `The model ${canonicalName(name)} is damaged (${file} has a wrong checksum). Run \`npx earmark models pull ${canonicalName(name)}\` to download it again.`,
        )
      return modelDir(name)
    },
    /** Downloads a model if it is missing or damaged. Returns its folder. @throws EngineUnavailableError */
    repair: async (name: string, options: PullOptions): Promise<string> =>
      (await isPresent(name)) && (await findDamage(name)) === null ? modelDir(name) : pull(name, options),
    /** Returns false if there was nothing to remove. @throws AppError `conflict` while the model is being downloaded */
    remove: async (name: string): Promise<boolean> => {
      if (!MODEL_NAME.test(name)) throw unknownModelError(name)
      const paths = [modelDir(name), downloadDir(name)]
      if (!(await Promise.all(paths.map(exists))).some(Boolean)) return false
      const rejectBusy = async (): Promise<never> => {
        throw new AppError(
          "conflict",
          `The model ${canonicalName(name)} is being downloaded. Remove it after the download has finished.`,
        )
      }
      createModelFolder(join(dir, ".incoming"))
      const signal = new AbortController().signal
      await withLock(lockPath(name), { signal, waiting: rejectBusy }, async () => {
        for (const path of [...paths, folders.failurePath(name)]) await rm(path, { recursive: true, force: true })
      })
      verified.delete(canonicalName(name))
      return true
    },
    /** Returns true if downloads are allowed and the model's host responds. */
    isReachable: async (name: string): Promise<boolean> => {
      const url = findModel(name)?.files[0]?.url
      if (offline || url === undefined) return false
      try {
        const signal = AbortSignal.timeout(REACHABILITY_TIMEOUT_MS)
        const address = new URL("/robots.txt", applyMirror(url, mirror)).href
        const response = await httpGet(address, { proxy, idleMs: REACHABILITY_TIMEOUT_MS, signal })
        response.destroy()
        return true
      } catch {
        return false
      }
    },
  }
}
export type ModelRegistry = ReturnType<typeof createModelRegistry>
