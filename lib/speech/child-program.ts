import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { AppError } from "../errors.ts"
import { packageRoot } from "../package-root.ts"

/**
 * A program of ours for Node.js: `dist/<name>.js`, or its source where Earmark itself runs from source.
 * @throws AppError when it was not built
 */
export const childProgram = (name: string, source: URL): { file: string; execArgv: string[] } => {
  const own = fileURLToPath(source)
  if (import.meta.url.endsWith(".ts") && existsSync(own))
    return { file: own, execArgv: ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href] }
  const file = join(packageRoot(), "dist", `${name}.js`)
  if (existsSync(file)) return { file, execArgv: [] }
  throw new AppError("unavailable", `${file} is missing: run "npm run build", then start again.`)
}
