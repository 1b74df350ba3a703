import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { AppError } from "../../domain/errors.ts"
import { packageRoot } from "../package-root.ts"

/** The file of a package, found from a module (a file URL). By its name in a variable: a bundler must not follow it. */
export const fileOfPackage = (name: string, from: string): string => createRequire(from).resolve(name)

/**
 * A program of ours for Node.js: `dist/<name>.js`, or its source, which lies beside the module at `from`, where Earmark
 * itself runs from source.
 * @throws AppError when it was not built
 */
export const childProgram = (name: string, source: string, from: string): { file: string; execArgv: string[] } => {
  const own = join(dirname(fileURLToPath(from)), source)
  if (from.endsWith(".ts") && existsSync(own))
    return { file: own, execArgv: ["--import", pathToFileURL(fileOfPackage("tsx", from)).href] }
  const file = join(packageRoot(), "dist", `${name}.js`)
  if (existsSync(file)) return { file, execArgv: [] }
  throw new AppError("unavailable", `${file} is missing: run "npm run build", then start again.`)
}
