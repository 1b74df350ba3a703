import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { AppError, messageOf } from "../../../domain/errors.ts"
import { makeFolder } from "../../../platform/files/folder.ts"
import { EngineUnavailableError } from "../errors.ts"
import { findModel } from "./catalog.ts"

/** One folder's name: neither a path nor hidden. */
export const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Bytes of the files in a folder; 0 where there is none. */
export const bytesIn = async (dir: string): Promise<number> => {
  const names = await readdir(dir).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(dir, name)).then(
        (s) => s.size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

export const unknownModel = (name: string): AppError =>
  new AppError(
    "invalid",
    `there is no model '${name}': \`earmark models list\` shows those that can be pulled, and one of your own goes into a folder of that name`,
  )

/** Makes a folder for models. @throws EngineUnfit where none can be made */
export const makeRoom = (dir: string): void => {
  try {
    makeFolder(dir)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new EngineUnavailableError(
      "unavailable",
      `the folder ${dir} cannot be made (${code ?? messageOf(cause)}): give a folder that this user may write to in SERVICE_MODELS_DIR`,
      { cause },
    )
  }
}

/** Where models lie, and what of them comes just now: a folder each, under the catalog's name of the model. */
export const createFolders = (dir: string) => {
  const nameOf = (name: string): string => findModel(name)?.name ?? name
  const folderOf = (name: string): string => join(dir, nameOf(name))
  return {
    dir,
    nameOf,
    folderOf,
    /** Files that are being fetched, until all of them are whole. */
    incomingOf: (name: string): string => join(dir, ".incoming", nameOf(name)),
    /** Held by whoever fetches or removes a model. */
    lockOf: (name: string): string => join(dir, ".incoming", `${nameOf(name)}.lock`),
    /** Why the last fetch failed, for whoever looks at the list. */
    failureOf: (name: string): string => join(dir, ".incoming", `${nameOf(name)}.failure`),
    isPresent: async (name: string): Promise<boolean> => {
      const model = findModel(name)
      if (!model) return PLAIN_NAME.test(name) && exists(folderOf(name))
      return (await Promise.all(model.files.map((file) => exists(join(folderOf(name), file.name))))).every(Boolean)
    },
  }
}
export type Folders = ReturnType<typeof createFolders>
