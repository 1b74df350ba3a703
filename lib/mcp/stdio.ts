import { once } from "node:events"
import type { Logger } from "../platform/logger.ts"
import type { Api } from "../services/local-api.ts"
import { loadMcpServerFactory } from "./server.ts"

/** Serves MCP over standard input and output until the client closes the input or the process is told to stop. */
export const serveMcpOverStdio = async ({ api, log }: { readonly api: Api; readonly log: Logger }): Promise<void> => {
  const createServer = await loadMcpServerFactory(log)
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio")
  const onerror = (err: Error) => log.warn({ err }, "invalid message from the MCP client")
  const handle = serveStdio(() => createServer(api), { onerror })
  const stop = new AbortController()
  await Promise.race([
    once(process.stdin, "close", stop),
    once(process.stdin, "end", stop),
    once(process, "SIGINT", stop),
    once(process, "SIGTERM", stop),
  ])
  stop.abort()
  await handle.close()
}
