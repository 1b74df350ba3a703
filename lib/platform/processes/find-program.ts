import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { delimiter, isAbsolute, join } from "node:path"

/** Whether a file may be run. */
export const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The absolute path of a program that may be run, looked for as a shell would; null when there is none. */
export const findProgram = async (name: string): Promise<string | null> => {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const path = join(folder, name)
    if (await isProgram(path)) return path
  }
  return null
}
