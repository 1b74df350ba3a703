import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sha256 } from "../../../domain/ids.ts"
import { topicEmbeddingText } from "../../../domain/topics/topic-tree.ts"
import { bundleWorker } from "../../../map/testing/bundle-worker.ts"
import type { VizCompute } from "../../../map/types.ts"
import { openVizCompute } from "../../../map/worker/compute-thread.ts"
import { loadConfig } from "../../../platform/config/config.ts"
import { createLogger } from "../../../platform/logger.ts"
import { packageRoot } from "../../../platform/package-root.ts"
import { openDatabase } from "../../../storage/database/open.ts"
import { openSqliteStore } from "../../../storage/stores/sqlite/index.ts"
import { createEngines } from "../../installation/engines.ts"
import type { VizDeps } from "../topic-map.ts"

export type Topic = { readonly title: string; readonly summary: string }

const WORDS = [
  "garden soil compost tomato seedling watering greenhouse pruning harvest beetle",
  "rocket engine methane booster orbit launch telemetry payload heatshield landing",
  "violin orchestra conductor rehearsal melody tempo audience concert strings harmony",
  "database transaction index replica query lock migration schema latency cache",
].map((line) => line.split(" "))

/** Creates distinct topics, each about one of four subjects. The words also depend on the length of the clip ID. */
export const topicsAbout = (clip: string, count: number): Topic[] =>
  Array.from({ length: count }, (_, i) => {
    const words = WORDS[i % WORDS.length]!
    const pick = (k: number) => words[(k * 3 + i + clip.length) % words.length]!
    return {
      title: `${pick(0)} and ${pick(1)} ${clip} ${i}`,
      summary: `How ${pick(2)} meets ${pick(3)} and ${pick(4)}.`,
    }
  })

/** Opens a store on a real file, the builtin embedder, and a map thread whose requests are recorded. */
export const openMapFixture = async () => {
  const workerFile = await bundleWorker()
  const dir = mkdtempSync(join(tmpdir(), "earmark-map-"))
  const handle = openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const config = loadConfig({ SERVICE_PROVIDER: "builtin", SERVICE_DATA_DIR: dir })
  const log = createLogger("silent", "test")
  const requests: string[] = []
  const pools: VizCompute[] = []
  /** A refit starts when this is resolved. */
  const gate: { open: Promise<void> } = { open: Promise.resolve() }

  /** Creates dependencies like those of a new process: the same data, empty caches. */
  const start = (changes: { config?: typeof config } = {}): VizDeps => {
    const store = openSqliteStore(handle)
    const pool = openVizCompute({ workerFile, log })
    pools.push(pool)
    const viz: VizCompute = {
      compose: (key, request) => {
        requests.push("compose")
        return pool.compose(key, request)
      },
      refit: async (key, request, signal) => {
        requests.push("refit")
        await gate.open
        return pool.refit(key, request, signal)
      },
      embedTerms: (key, request) => pool.embedTerms(key, request),
      close: () => pool.close(),
    }
    const groups = { rag: { state: "present" }, broker: { state: "present" } } as VizDeps["groups"]
    const used = changes.config ?? config
    const engines = createEngines({ config: used, log, store })
    return { store, index: store.documents, config: used, viz, log, groups, engines }
  }
  const deps = start()
  const store = deps.store!

  /** Saves a clip with topics of 10 s each. `said` is the speech in each topic. */
  const addClip = async (id: string, topics: readonly Topic[], said: readonly string[] = []) => {
    const nodes = topics.map((t, i) => ({ ...t, start_s: 10 * i, end_s: 10 * i + 10, children: [] }))
    const root = { ...topics[0]!, start_s: 0, end_s: 10 * topics.length, children: nodes.slice(1) }
    const spans = said.flatMap((text, i) =>
      text.split(" ").map((word, k) => ({ word, start: 10 * i + k, end: 10 * i + k + 1, speaker: "0" })),
    )
    const words = {
      words: spans,
      duration_s: 60,
      language: "en",
      speech_engine: null,
      whisper_model: null,
      file_path: null,
    }
    await store.clips.saveTranscript(id, { title: `Clip ${id}`, source_url: null, file_path: `/${id}.wav` }, words)
    await saveTopics(id, topics.length === 0 ? [] : [root])
  }
  const saveTopics = async (id: string, tree: Parameters<typeof store.topics.save>[1]["tree"]["topics"]) => {
    const embedder = await deps.engines.getEmbedder()
    const all = tree.flatMap((n) => [n, ...n.children])
    const vectors = await embedder.embed(all.map(topicEmbeddingText), "document")
    await store.topics.save(id, {
      tree: { topics: tree },
      vectors: all.map((n, i) => ({ hash: sha256(topicEmbeddingText(n)), vector: Float32Array.from(vectors[i]!) })),
      provider: "builtin",
      llm_model: null,
      embed_model: embedder.name,
    })
  }
  const close = async () => {
    for (const pool of pools) await pool.close()
    handle.close()
    rmSync(dir, { recursive: true, force: true })
  }
  return { deps, store, requests, gate, start, addClip, saveTopics, close, raw: handle.raw }
}
export type MapFixture = Awaited<ReturnType<typeof openMapFixture>>
