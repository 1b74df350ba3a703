import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { AppError } from "../../domain/errors.ts"
import { packageRoot } from "../package-root.ts"

/** Resolves a package from a module (a file URL). The name is a parameter so that bundlers do not follow it. */
export const resolvePackageFile = (name: string, from: string): string => createRequire(from).resolve(name)

/** A folder of built programs, which tests set: they start in a fifth of the time that their sources take. */
const testPrograms = process.env.EARMARK_TEST_PROGRAMS

/**
 * Returns the file of a child program: `dist/<name>.js`, or its source next to the module `from` if Earmark runs from source.
 * @throws AppError if it was not built
 */
export const resolveChildProgram = (
  name: string,
  source: string,
  from: string,
): { file: string; execArgv: string[] } => {
  const own = join(dirname(fileURLToPath(from)), source)
  const tested = testPrograms && join(testPrograms, `${name}.js`)
  if (tested && existsSync(tested)) return { file: tested, execArgv: [] }
  if (from.endsWith(".ts") && existsSync(own))
    return { file: own, execArgv: ["--import", pathToFileURL(resolvePackageFile("tsx", from)).href] }
  const file = join(packageRoot(), "dist", `${name}.js`)
  if (existsSync(file)) return { file, execArgv: [] }
  throw new AppError(
    "unavailable",
    `Couldn't start a child process: ${file} is missing. Run "npm run build" and restart.`,
  )
}
