import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { CATALOG, findModel, type Model } from "./catalog.ts"
import { bytesIn, type Folders, PLAIN_NAME } from "./folders.ts"
import { isLocked } from "./lock.ts"
import type { ModelState } from "./types.ts"

const stateOf = async (model: Model, folders: Folders): Promise<ModelState> => {
  const { isPresent, folderOf, incomingOf, lockOf, failureOf } = folders
  const { aliases: _, files: __, listing: ___, ...shown } = model
  const fetched_bytes = await bytesIn(incomingOf(model.name))
  const fetching = await isLocked(lockOf(model.name))
  const failure = fetching ? null : await readFile(failureOf(model.name), "utf8").catch(() => null)
  const common = { ...shown, fetched_bytes, fetching, failure }
  if (await isPresent(model.name)) return { ...common, state: "present", bytes: await bytesIn(folderOf(model.name)) }
  return { ...common, state: fetched_bytes > 0 ? "partial" : "absent" }
}

const ownState = async (name: string, dir: string): Promise<ModelState> => ({
  name,
  use: "speech",
  purpose: "put there by hand",
  bytes: await bytesIn(join(dir, name)),
  fetched_bytes: 0,
  fetching: false,
  failure: null,
  languages: null,
  licence: "not known",
  state: "own",
})

/** Every model of the catalog, then the folders that are none of it, each with what is there of it. */
export const listStates = async (folders: Folders): Promise<ModelState[]> => {
  const entries = await readdir(folders.dir, { withFileTypes: true }).catch(() => [])
  const own = entries.filter((e) => e.isDirectory() && PLAIN_NAME.test(e.name) && !findModel(e.name))
  return Promise.all([
    ...CATALOG.map((model) => stateOf(model, folders)),
    ...own.map(({ name }) => ownState(name, folders.dir)),
  ])
}
