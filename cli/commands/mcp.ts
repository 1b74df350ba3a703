import type { Command } from "commander"
import { probeGroups } from "#lib/platform/capabilities/load.ts"
import { requireGroups } from "#lib/platform/capabilities/registry.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { settings } from "../environment.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

export const addMcp = (program: Command): void => {
  remoteFlags(program.command("mcp"))
    .description("serve the recordings to an MCP client over standard input and output")
    .action(async (flags: RemoteFlags) => {
      const { disabledExtras } = settings()
      requireGroups(await probeGroups(disabledExtras), ["mcp"])
      const { serveMcpOverStdio } = await import("#lib/mcp/stdio.ts")
      await withApi(flags, (api) => serveMcpOverStdio({ api, log: createLogger("warn", "mcp") }))
    })
}
