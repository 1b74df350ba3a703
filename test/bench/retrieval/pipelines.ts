import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { createBuiltinEmbedder } from "#lib/engines/language/builtin/index.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { ingest } from "#lib/services/documents/ingest.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { retrieve } from "#lib/services/search/retrieve.ts"
import { openLangChain } from "../rivals/langchain/pipeline.ts"

/** Passages that a question is answered from; more than ten, because several may be of one document. */
export const PASSAGES = 50

/** Something that takes a folder of text files and finds documents: their ids, best first, with repetitions. */
export type Pipeline = {
  ingest(): Promise<void>
  find(question: string): Promise<string[]>
  close(): Promise<void>
}

/** Ours, with nothing in it yet: on SQLite, or in memory as without group `rag`. */
export const openOurs = async (dir: string, dataDir: string, kind: "sqlite" | "memory"): Promise<Pipeline> => {
  const env = {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_INGEST_ROOTS: dir,
    SERVICE_PROVIDER: "builtin",
    SERVICE_DISABLE_EXTRAS: kind === "memory" ? "rag" : "",
  }
  const node = await openNode(loadConfig(env), createLogger("silent", "bench"))
  const embedder = await node.engines.embedder()
  const { signal } = new AbortController()
  return {
    ingest: async () => {
      const { failed } = await ingest(node, { paths: [dir], prune: false }, { signal })
      if (failed.length > 0) throw new Error(`${failed.length} files were not taken: ${failed[0]!.detail}`)
    },
    find: async (question) => {
      const found = await retrieve(node, embedder, { question, scope: "documents", topK: PASSAGES, signal })
      return found.map(({ chunk }) => basename(chunk.metadata.source, ".txt"))
    },
    close: () => node.close(),
  }
}

const rival = join(packageRoot(), "test/bench/rivals/langchain")

/** Installs the rival where it is not yet. @returns why it cannot be had, or null */
export const installRival = (): string | null => {
  if (existsSync(join(rival, "node_modules/.package-lock.json"))) return null
  const { status, stderr, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: rival,
    encoding: "utf8",
  })
  if (status === 0) return null
  const lines = (error?.message ?? stderr).split("\n").filter((line) => /error/i.test(line))
  return lines.slice(0, 2).join(" ") || `npm ci ended with status ${status}`
}

export const openRival = async (dir: string): Promise<Pipeline> => {
  const { chunkSize, chunkOverlap } = loadConfig({}).documents
  const { embed } = createBuiltinEmbedder()
  return openLangChain(dir, PASSAGES, { chunkSize, chunkOverlap, embed })
}
