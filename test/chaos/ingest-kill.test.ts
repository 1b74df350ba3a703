import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { splitDocument } from "#lib/documents/split.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { type OllamaServer, startOllamaServer } from "../fixtures/ollama-server.ts"

const FILES = 120
const KILLS = 10

/** Texts of equal length, so that each is split into the same number of chunks. */
const textOf = (i: number): string => {
  const file = String(i).padStart(3, "0")
  return Array.from({ length: 160 }, (_, s) => `Sentence ${s} of file ${file} tells of bees and tides.`).join(" ")
}

const dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-ingest-kill-")))
const docs = join(dir, "docs")
const settings = {
  SERVICE_DATA_DIR: join(dir, "data"),
  SERVICE_INGEST_ROOTS: dir,
  SERVICE_PROVIDER: "ollama",
  SERVICE_LLM_MODEL: "gemma4",
  SERVICE_EMBED_MODEL: "nomic-embed-text",
  SERVICE_MODELS_OFFLINE: "true",
}
let model: OllamaServer
let watcher: Node
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  model = await startOllamaServer({ models: ["gemma4", "nomic-embed-text"], dimensions: 64, latencyMs: 10 })
  env = { ...settings, SERVICE_OLLAMA_BASE_URL: model.url }
  watcher = await openNode(loadConfig(env), createLogger("silent", "test"))
})
afterAll(async () => {
  await watcher.close()
  await model.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Runs `earmark ingest` from the build. */
const ingest = () => {
  const entry = join(packageRoot(), "dist/cli.js")
  if (!existsSync(entry)) throw new Error("this test runs the built command line: npm run build first")
  const child = spawn(process.execPath, [entry, "ingest", docs], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as unknown as NodeJS.ProcessEnv,
  })
  const output: Buffer[] = []
  child.stdout.on("data", (part: Buffer) => output.push(part))
  let running = true
  const ended = new Promise<string>((resolve) => {
    child.once("close", () => {
      running = false
      resolve(Buffer.concat(output).toString())
    })
  })
  return { child, ended, isRunning: () => running }
}

/** Returns the number of texts of each embedding call to the model server. */
const embedded = (): number[] =>
  model.requests.filter((seen) => seen.kind === "embed").map(({ body }) => [body.input ?? []].flat().length)
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

describe("a killed ingest", () => {
  it("leaves only complete documents, and the next ingest embeds the missing ones", async () => {
    mkdirSync(docs)
    for (let i = 0; i < FILES; i++) writeFileSync(join(docs, `${i}.txt`), textOf(i))
    const { chunkSize, chunkOverlap } = loadConfig(env).documents
    const chunksOfFile = [...splitDocument({ sections: [{ text: textOf(0) }] }, { chunkSize, chunkOverlap })].length
    let checks = 0
    const countComplete = async (): Promise<number> => {
      const { documents, chunks, textRows, vectors } = await watcher.index.getCounts()
      expect({ chunks, textRows, vectors }).toEqual({
        chunks: documents * chunksOfFile,
        textRows: chunks,
        vectors: chunks,
      })
      checks++
      return documents
    }
    let stored = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const before = embedded().length
      const { child, ended, isRunning } = ingest()
      // Wait for model calls instead of time, so that every kill hits the ingest on any machine.
      while (isRunning() && embedded().length - before < 4 + (kill % 9)) {
        await countComplete()
        await sleep(2)
      }
      await sleep(kill % 7)
      child.kill("SIGKILL")
      expect(await ended).toBe("")
      const now = await countComplete()
      expect(now).toBeGreaterThanOrEqual(stored)
      stored = now
    }
    expect(stored).toBeGreaterThan(KILLS)
    expect(stored).toBeLessThan(FILES)
    // Embeddings that were not stored belong to files that a kill hit between model and database.
    expect(sum(embedded())).toBeLessThanOrEqual((stored + 4 * KILLS) * chunksOfFile)
    const before = sum(embedded())
    const result = JSON.parse(await ingest().ended)
    expect(result).toMatchObject({ ingested: FILES - stored, unchanged: stored, failed: [] })
    expect(sum(embedded()) - before).toBe((FILES - stored) * chunksOfFile)
    expect(await countComplete()).toBe(FILES)
    JSON.parse(await ingest().ended)
    expect(sum(embedded()) - before).toBe((FILES - stored) * chunksOfFile)
    expect(checks).toBeGreaterThan(2 * KILLS)
  })
})
