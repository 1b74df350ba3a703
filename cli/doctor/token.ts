import { readFileSync } from "node:fs"
import type { Config } from "#lib/platform/config/config.ts"
import type { Finding } from "./finding.ts"

/** The range of user IDs of people; below are system accounts, above are containers and "nobody". */
const [MIN_USER_ID, MAX_USER_ID] = [1000, 59_999]
/** macOS numbers people from 501. */
const MIN_USER_ID_MACOS = 501

/** Returns the names of other people's accounts in the text of /etc/passwd. */
export const findOtherUsers = (passwd: string, ownId: number, minId = MIN_USER_ID): string[] =>
  passwd.split("\n").flatMap((line) => {
    const [name = "", , id = "", , , , shell = ""] = line.split(":")
    const userId = Number(id)
    const isPerson = id !== "" && userId >= minId && userId <= MAX_USER_ID && !/\/(nologin|false)$/.test(shell)
    return isPerson && userId !== ownId ? [name] : []
  })

const readOtherUsers = (): string[] => {
  try {
    const minId = process.platform === "darwin" ? MIN_USER_ID_MACOS : MIN_USER_ID
    return findOtherUsers(readFileSync("/etc/passwd", "utf8"), process.getuid?.() ?? -1, minId)
  } catch {
    return []
  }
}

/** Checks whether requests need a token. Every user of this machine can reach a service that listens on loopback. */
export const checkToken = ({ http }: Config, otherUsers = readOtherUsers()): Finding => {
  if (http.token !== undefined) return { name: "token", state: "ok", detail: "every request needs SERVICE_API_TOKEN" }
  if (otherUsers.length === 0)
    return { name: "token", state: "ok", detail: "none; every program on this machine can use the service" }
  return {
    name: "token",
    state: "warn",
    detail: `none; other users of this machine (${otherUsers.slice(0, 5).join(", ")}) can use the service and read your files through it`,
    fix: "run `npx earmark token` and restart the service",
  }
}
