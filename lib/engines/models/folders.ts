import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { AppError, messageOf } from "../../domain/errors.ts"
import { makeFolder } from "../../platform/files/folder.ts"
import { EngineUnavailableError } from "../errors.ts"
import { findModel } from "./catalog.ts"

/** Matches a valid model name, which is also the name of its folder: no path and no hidden file. */
export const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Returns the total size of the files in a folder in bytes, or 0 if the folder does not exist. */
export const folderSize = async (dir: string): Promise<number> => {
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

export const unknownModelError = (name: string): AppError =>
  new AppError(
    "invalid",
    `There is no model '${name}'. \`earmark models list\` shows the available models. To use your own model, put it into a folder with that name.`,
  )

/** Creates a folder for models. @throws EngineUnavailableError if it cannot be created */
export const createModelFolder = (dir: string): void => {
  try {
    makeFolder(dir)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new EngineUnavailableError(
      "unavailable",
      `Couldn't create the folder ${dir} (${code ?? messageOf(cause)}). Set SERVICE_MODELS_DIR to a folder that this user may write to.`,
      { cause },
    )
  }
}

/** Returns the paths of the models in `dir`. Each model has one folder, named after it in the catalog. */
export const createModelFolders = (dir: string) => {
  const canonicalName = (name: string): string => findModel(name)?.name ?? name
  const modelDir = (name: string): string => join(dir, canonicalName(name))
  return {
    dir,
    canonicalName,
    modelDir,
    /** The folder of an incomplete download. */
    downloadDir: (name: string): string => join(dir, ".incoming", canonicalName(name)),
    /** The lock that a process holds while it downloads or removes the model. */
    lockPath: (name: string): string => join(dir, ".incoming", `${canonicalName(name)}.lock`),
    /** The file with the error message of the last failed download. */
    failurePath: (name: string): string => join(dir, ".incoming", `${canonicalName(name)}.failure`),
    isPresent: async (name: string): Promise<boolean> => {
      const model = findModel(name)
      if (!model) return MODEL_NAME.test(name) && exists(modelDir(name))
      return (await Promise.all(model.files.map((file) => exists(join(modelDir(name), file.name))))).every(Boolean)
    },
  }
}
export type ModelFolders = ReturnType<typeof createModelFolders>
