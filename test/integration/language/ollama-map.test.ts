import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { bundleWorker } from "#lib/map/testing/bundle-worker.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { getVizData } from "#lib/services/map/map-data.ts"
import { searchViz } from "#lib/services/map/map-search.ts"
import type { VizDeps } from "#lib/services/map/topic-map.ts"
import { query } from "#lib/services/search/query.ts"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { speechWords } from "#test/fixtures/speech-words.ts"

let dir: string
let server: OllamaServer
let node: Node
let deps: VizDeps
let earmark: Earmark
let closeMap: () => Promise<void>

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "earmark-ollama-map-"))
  server = await startOllamaServer({ models: ["gemma4:latest", "nomic-embed-text:latest"], dimensions: 64 })
  const config = loadConfig({
    SERVICE_DATA_DIR: dir,
    SERVICE_INGEST_ROOTS: dir,
    SERVICE_PROVIDER: "ollama",
    SERVICE_OLLAMA_BASE_URL: server.url,
  })
  const log = createLogger("silent", "test")
  earmark = new Earmark(config)
  node = await openNode(config, log)
  const viz = openVizCompute({ workerFile: await bundleWorker(), log })
  deps = { ...node, viz }
  closeMap = async () => {
    await viz.close()
  }
})
afterAll(async () => {
  await closeMap()
  await earmark.close()
  await node.close()
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Makes the words of a recording differ from those of the others, so that no two texts are equal. */
const wordsOf = (name: string): WordSpan[] =>
  speechWords().map((word, i) => (i % 7 === 3 ? { ...word, word: `${name}${i}` } : word))
const add = (name: string) => earmark.generateTopics(join(dir, `${name}.wav`), { transcription: wordsOf(name) })
const embeddedTexts = () =>
  server.requests.filter(({ kind }) => kind === "embed").flatMap(({ body }) => body.input as string[])
const countNamings = () => server.requests.filter(({ kind }) => kind === "region").length
const readNamedMap = async () => {
  for (let i = 0; i < 100; i++) {
    const { body } = await getVizData(deps, {})
    if (body.regions.length > 0 && body.regions.every(({ name }) => name.startsWith("About"))) return body
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("timed out waiting for names of regions")
}

describe("the map with a model server", () => {
  it("embeds no text twice for map, search and questions, and names each region with one call", async () => {
    for (const name of ["ash", "birch", "cedar", "fir"]) await add(name)
    const first = await getVizData(deps, {})
    expect(first.body.embed_model).toBe("nomic-embed-text")
    const named = await readNamedMap()
    expect(countNamings()).toBe(named.regions.length)
    expect(named.labels.filter(({ depth }) => depth === 0).map(({ text }) => text)).toEqual(
      named.regions.map(({ name }) => name),
    )
    await query(node, { question: "How do bees winter?", scope: "clips", top_k: 5 }, AbortSignal.timeout(9000))
    const [hit] = await searchViz(deps, { q: "yeast and flour", top_k: 3 })
    expect(hit?.passage?.text).toMatch(/yeast|flour/)
    const texts = embeddedTexts().filter((text) => text.startsWith("search_document: "))
    expect(texts.length).toBeGreaterThan(40)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it("embeds only the texts of an added recording", async () => {
    await getVizData(deps, {})
    const before = embeddedTexts().length
    await add("larch")
    const { body } = await getVizData(deps, {})
    expect(body.total_clips).toBe(5)
    const added = embeddedTexts().slice(before)
    expect(added.length).toBeGreaterThan(5)
    expect(new Set(embeddedTexts()).size).toBe(embeddedTexts().length)
    await getVizData(deps, {})
    expect(embeddedTexts().length).toBe(before + added.length)
  })
})
