import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { isSentenceModel } from "../embedding/onnx/model-settings.ts"
import { CATALOG, findModel, type Model } from "./catalog.ts"
import { folderSize, MODEL_NAME, type ModelFolders } from "./folders.ts"
import { isLocked } from "./lock.ts"
import type { ModelState } from "./types.ts"

const catalogModelState = async (model: Model, folders: ModelFolders): Promise<ModelState> => {
  const { isPresent, modelDir, downloadDir, lockPath, failurePath } = folders
  const { aliases: _, files: __, listing: ___, sentence: ____, ...shown } = model
  const fetched_bytes = await folderSize(downloadDir(model.name))
  const fetching = await isLocked(lockPath(model.name))
  const failure = fetching ? null : await readFile(failurePath(model.name), "utf8").catch(() => null)
  const common = { ...shown, fetched_bytes, fetching, failure }
  if (await isPresent(model.name)) return { ...common, state: "present", bytes: await folderSize(modelDir(model.name)) }
  return { ...common, state: fetched_bytes > 0 ? "partial" : "absent" }
}

const customModelState = async (name: string, dir: string): Promise<ModelState> => ({
  name,
  use: (await isSentenceModel(join(dir, name))) ? "embedding" : "speech",
  purpose: "added manually",
  bytes: await folderSize(join(dir, name)),
  fetched_bytes: 0,
  fetching: false,
  failure: null,
  languages: null,
  licence: "unknown",
  state: "own",
})

/** Returns the state of every model of the catalog, followed by folders that are not in the catalog. */
export const listModelStates = async (folders: ModelFolders): Promise<ModelState[]> => {
  const entries = await readdir(folders.dir, { withFileTypes: true }).catch(() => [])
  const own = entries.filter((e) => e.isDirectory() && MODEL_NAME.test(e.name) && !findModel(e.name))
  return Promise.all([
    ...CATALOG.map((model) => catalogModelState(model, folders)),
    ...own.map(({ name }) => customModelState(name, folders.dir)),
  ])
}
