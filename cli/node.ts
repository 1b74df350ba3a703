import { createLogger } from "#lib/platform/logger.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { settings } from "./environment.ts"

/** Opens store, broker and engines for one command and closes them afterwards. */
export const withNode = async (use: (node: Node) => Promise<void>): Promise<void> => {
  const config = settings()
  const node = await openNode(config, createLogger(config.logLevel === "info" ? "warn" : config.logLevel, "cli"))
  try {
    await use(node)
  } finally {
    await node.close()
  }
}
