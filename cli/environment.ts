import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Config, loadConfig, readDotEnv } from "#lib/config.ts"
import { packageRoot } from "#lib/package-root.ts"

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { version: string }).version

/** The settings of this run: the environment, then `.env` of the working folder. @throws AppError naming a wrong one. */
export const settings = (): Config => {
  readDotEnv(join(process.cwd(), ".env"), process.env)
  return loadConfig(process.env)
}
