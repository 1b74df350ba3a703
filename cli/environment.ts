import { join } from "node:path"
import { type Config, loadConfig, readDotEnv } from "#lib/platform/config/config.ts"

/** The settings of this run: the environment, then `.env` of the working folder. @throws AppError naming a wrong one. */
export const settings = (): Config => {
  readDotEnv(join(process.cwd(), ".env"), process.env)
  return loadConfig(process.env)
}
