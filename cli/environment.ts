import { join } from "node:path"
import { type Config, loadConfig, readDotEnv } from "#lib/platform/config/config.ts"

/** Reads the settings from the environment and then from `.env` in the working folder. @throws AppError that names a wrong setting */
export const settings = (): Config => {
  readDotEnv(join(process.cwd(), ".env"), process.env)
  return loadConfig(process.env)
}
