import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { delimiter, isAbsolute, join } from "node:path"

/** Returns true if the file is executable. */
export const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Returns the absolute path of a program on PATH, or null if it is not found. */
export const findProgram = async (name: string): Promise<string | null> => {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const path = join(folder, name)
    if (await isProgram(path)) return path
  }
  return null
}
