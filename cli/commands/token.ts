import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"

const TOKEN_BYTES = 24

/** Adds a token to the lines of a .env file, in place of an empty one. */
export const addTokenLine = (env: string, token: string): string => {
  const line = `SERVICE_API_TOKEN=${token}`
  const withoutEmpty = env.replace(/^SERVICE_API_TOKEN=[ \t]*\r?\n?/gm, "")
  const separator = withoutEmpty === "" || withoutEmpty.endsWith("\n") ? "" : "\n"
  return `${withoutEmpty}${separator}${line}\n`
}

/** Writes a new token to a .env file that only its owner can read. @returns the token */
export const saveNewToken = (file: string): string => {
  const token = randomBytes(TOKEN_BYTES).toString("base64url")
  const before = existsSync(file) ? readFileSync(file, "utf8") : ""
  // A new file must never be readable by others, and an existing one not with the token in it.
  if (before !== "") chmodSync(file, 0o600)
  writeFileSync(file, addTokenLine(before, token), { mode: 0o600 })
  chmodSync(file, 0o600)
  return token
}

export const addToken = (program: Command): void => {
  program
    .command("token")
    .description("create a token that every request to the service then needs, and save it in .env")
    .action(() => {
      if (settings().http.token !== undefined)
        throw new AppError("invalid", "SERVICE_API_TOKEN is set already. Remove it to create a new token.")
      const file = join(process.cwd(), ".env")
      const token = saveNewToken(file)
      printResult(
        { token, file },
        () => `${token}\n\nSaved in ${file}. Restart the service, then sign in with it at /login.`,
      )
    })
}
