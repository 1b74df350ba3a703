import { randomUUID } from "node:crypto"
import { sha256 } from "../../../domain/ids.ts"
import type { PersistOutput, WhisperOutput } from "../../../domain/jobs/job-state.ts"
import { jobOptions } from "../../../domain/jobs/jobs.ts"
import { STAGE_NAMES, type StageName } from "../../../domain/jobs/stages.ts"
import type { TopicNode, TopicTree } from "../../../domain/topics/topic-tree.ts"
import { topicEmbeddingText } from "../../../domain/topics/topic-tree.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { NewJob, PlannedStage } from "../ports/jobs.ts"
import type { Claim, ClaimResult, StageResult } from "../ports/stages.ts"
import type { Store } from "../ports/store.ts"

/** An empty store for one test, with its clock. `another` opens a second store on the same data. */
export type StoreFixture = {
  readonly store: Store
  readonly another: () => Promise<Store>
  readonly clock: { advance(ms: number): void; now(): number }
  readonly teardown: () => Promise<void>
}
export type StoreSetup = () => Promise<StoreFixture>

/** Creates a fixture whose stores share one clock. The teardown closes them, then calls `cleared`. */
export const storeFixture = async (
  openStore: (now: () => number) => Promise<Store>,
  cleared: () => Promise<void> = async () => {},
): Promise<StoreFixture> => {
  let time = Date.UTC(2026, 0, 1)
  const now = () => time
  const opened: Store[] = []
  const another = async () => {
    const store = await openStore(now)
    opened.push(store)
    return store
  }
  return {
    store: await another(),
    another,
    clock: {
      now,
      advance: (ms) => {
        time += ms
      },
    },
    teardown: async () => {
      for (const store of opened) await store.close()
      await cleared()
    },
  }
}

export const LEASE_MS = 30_000
/** How sweeps run in tests: every five seconds, as in production. */
export const SWEEP = { leaseMs: LEASE_MS, intervalMs: 5_000 }
export const EMBEDDER = "test-embedder"

const NEXT: Record<StageName, readonly StageName[]> = {
  whisper: ["l1"],
  l1: ["decide", "summarize_l1"],
  decide: ["l2"],
  l2: ["summarize_l2"],
  summarize_l1: [],
  summarize_l2: [],
  l0: ["persist"],
  persist: [],
}

export const planOf = (maxAttempts = 3): PlannedStage[] =>
  STAGE_NAMES.map((stage) => ({
    stage,
    next: NEXT[stage],
    joins: stage === "l0" ? ["summarize_l1", "summarize_l2"] : [],
    maxAttempts,
  }))

export const newJob = (changes: Partial<NewJob> = {}): NewJob => ({
  jobId: randomUUID(),
  sessionId: randomUUID(),
  title: "A talk",
  source: { kind: "file", path: "/recordings/talk.wav" },
  options: jobOptions.parse({}),
  plan: planOf(),
  first: "whisper",
  ...changes,
})

export const wordsOf = (text: string): WordSpan[] =>
  text.split(" ").map((word, i) => ({ word, start: i, end: i + 0.5, speaker: "0" }))

export const transcriptOf = (text: string) => ({
  words: wordsOf(text),
  duration_s: text.split(" ").length,
  language: "en",
  speech_engine: "pocketsphinx",
  whisper_model: "en-us",
  file_path: null,
})

const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: `About ${title}.`,
  start_s,
  end_s,
  children,
})

/** Returns a tree with two topics, the first of which has two subtopics. */
export const treeOf = (name: string): TopicTree => ({
  topics: [
    node(name, 0, 100, [
      node(`${name} one`, 0, 60, [node(`${name} one a`, 0, 20), node(`${name} one b`, 20, 60)]),
      node(`${name} two`, 60, 100),
    ]),
  ],
})

const nodesOf = (n: TopicNode): TopicNode[] => [n, ...n.children.flatMap(nodesOf)]

export const topicsOf = (name: string): PersistOutput => {
  const tree = treeOf(name)
  return {
    tree,
    vectors: tree.topics.flatMap(nodesOf).map((n, i) => ({ hash: sha256(topicEmbeddingText(n)), vector: vectorOf(i) })),
    provider: "builtin",
    llm_model: null,
    embed_model: EMBEDDER,
  }
}

export const vectorOf = (seed: number) => Float32Array.from({ length: 5 }, (_, i) => Math.sin(seed + i))

/** Returns a plausible result of a stage. */
export const resultOf = (stage: StageName): StageResult => {
  if (stage === "persist") return { stage, output: topicsOf("talk") }
  if (stage === "whisper") {
    const output: WhisperOutput = { kind: "words", ...transcriptOf("one two three") }
    return { stage, output }
  }
  return { stage, output: { by: stage } }
}

export const tryClaim = (store: Store, jobId: string, stage: StageName, owner = "worker"): Promise<ClaimResult> =>
  store.stages.claim({ jobId, stage, owner, host: "host", leaseMs: LEASE_MS })

export const claim = async (store: Store, jobId: string, stage: StageName, owner?: string): Promise<Claim> => {
  const result = await tryClaim(store, jobId, stage, owner)
  if (!result.claim) throw new Error(`${stage} could not be claimed: ${result.why}`)
  return result.claim
}

/** Claims and completes stages one after the other. */
export const finish = async (store: Store, jobId: string, ...stages: StageName[]): Promise<void> => {
  for (const stage of stages) {
    const held = await claim(store, jobId, stage)
    if (!(await store.stages.complete(held, resultOf(stage)))) throw new Error(`${stage} could not be completed`)
  }
}

/** Marks all due messages as published, as the relay does. Returns them. */
export const publishDue = async (store: Store) => {
  const due = await store.outbox.listDue(100)
  await store.outbox.markPublished(due.map((m) => m.id))
  return due
}

/** Marks all due messages as published. Returns their stages. */
export const dueStages = async (store: Store): Promise<StageName[]> => (await publishDue(store)).map((m) => m.stage)

/** Advances the clock while a worker sweeps at its interval, as in production. Returns the total of all sweeps. */
export const sweepFor = async ({ store, clock }: StoreFixture, ms: number) => {
  const total = await store.stages.sweep(SWEEP)
  for (let left = ms; left > 0; left -= SWEEP.intervalMs) {
    clock.advance(Math.min(left, SWEEP.intervalMs))
    const { requeued, failed } = await store.stages.sweep(SWEEP)
    total.requeued += requeued
    total.failed += failed
  }
  return total
}
