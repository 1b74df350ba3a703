import { existsSync, readFileSync } from "node:fs"
import type { Config } from "#lib/platform/config/config.ts"
import type { Logger } from "#lib/platform/logger.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
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

/** Counts the stored API tokens. Returns 0 if there is no database yet. */
export const countApiTokens = async (config: Config, log: Logger): Promise<number> => {
  if (config.data.url === undefined && !existsSync(config.data.dbPath)) return 0
  const node = await openNode(config, log)
  try {
    return ((await node.store?.tokens.list()) ?? []).length
  } finally {
    await node.close()
  }
}

/** Checks whether requests need a token. Every user of this machine can reach a service that listens on loopback. */
export const checkToken = ({ http }: Config, apiTokens: number, otherUsers = readOtherUsers()): Finding => {
  if (http.token !== undefined || apiTokens > 0) {
    const names = [
      ...(http.token === undefined ? [] : ["SERVICE_API_TOKEN"]),
      ...(apiTokens > 0 ? ["an API token"] : []),
    ]
    return { name: "token", state: "ok", detail: `every request needs ${names.join(" or ")}` }
  }
  if (otherUsers.length === 0)
    return { name: "token", state: "ok", detail: "none; every program on this machine can use the service" }
  return {
    name: "token",
    state: "warn",
    detail: `none; other users of this machine (${otherUsers.slice(0, 5).join(", ")}) can use the service and read your files through it`,
    fix: "run `npx earmark tokens create NAME --scope admin`",
  }
}
