import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { createBuiltinEmbedder } from "#lib/engines/embedding/builtin.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { ingest } from "#lib/services/documents/ingest.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { retrieve } from "#lib/services/search/retrieve.ts"
import { openLangChain } from "../rivals/langchain/pipeline.ts"

/** Chunks per question. More than ten, because several can belong to one document. */
const TOP_K = 50

/** Ingests a folder of text files and searches it. */
export type Pipeline = {
  ingest(): Promise<void>
  /** @returns document IDs, best first, with repetitions */
  find(question: string): Promise<string[]>
  close(): Promise<void>
}

/** Opens an empty installation with SQLite, or in memory, as without the capability group `rag`. */
export const openEarmark = async (dir: string, dataDir: string, kind: "sqlite" | "memory"): Promise<Pipeline> => {
  const env = {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_INGEST_ROOTS: dir,
    SERVICE_PROVIDER: "builtin",
    SERVICE_DISABLE_EXTRAS: kind === "memory" ? "rag" : "",
  }
  const node = await openNode(loadConfig(env), createLogger("silent", "bench"))
  const embedder = await node.engines.getEmbedder()
  const { signal } = new AbortController()
  return {
    ingest: async () => {
      const { failed } = await ingest(node, { paths: [dir], prune: false }, { signal })
      if (failed.length > 0)
        throw new Error(`Couldn't ingest ${failed.length} files. The first error: ${failed[0]!.detail}`)
    },
    find: async (question) => {
      const found = await retrieve(node, embedder, { question, scope: "documents", topK: TOP_K, signal })
      return found.map(({ chunk }) => basename(chunk.metadata.source, ".txt"))
    },
    close: () => node.close(),
  }
}

const rivalDir = join(packageRoot(), "test/bench/rivals/langchain")

/** Installs LangChain.js unless it is installed. @returns the reason for a failure, or null */
export const installRival = (): string | null => {
  if (existsSync(join(rivalDir, "node_modules/.package-lock.json"))) return null
  const { status, stderr, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: rivalDir,
    encoding: "utf8",
  })
  if (status === 0) return null
  const lines = (error?.message ?? stderr).split("\n").filter((line) => /error/i.test(line))
  return lines.slice(0, 2).join(" ") || `npm ci exited with code ${status}`
}

export const openRival = async (dir: string): Promise<Pipeline> => {
  const { chunkSize, chunkOverlap } = loadConfig({}).documents
  const { embed } = createBuiltinEmbedder()
  return openLangChain(dir, TOP_K, { chunkSize, chunkOverlap, embed })
}
