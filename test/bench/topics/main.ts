import { parseArgs } from "node:util"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { estimateTokens } from "#lib/engines/language/model/tokens.ts"
import { type LogLine, openInstallation } from "../../fixtures/installation.ts"
import { type OllamaServer, type SeenRequest, startOllamaServer } from "../../fixtures/ollama-server.ts"
import { speechWords } from "../../fixtures/speech-words.ts"
import { printResult, round } from "../report.ts"
import { runBuiltin } from "./builtin.ts"

/** Milliseconds per call on the simulated model server, similar to an 8B model on one GPU. */
const LATENCIES = { boundaries: 4000, decide: 1500, summary: 2500, overview: 3500, embed: 100 } as const
type Kind = keyof typeof LATENCIES
type Latencies = Readonly<Record<Kind, number>>

const SUBJECT_S = 300

const promptOf = (seen: SeenRequest): string => (seen.body.messages ?? []).map((m) => m.content).join("\n")

const sharedPrefixLength = (a: string, b: string): number => {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}

/** Counts prompt tokens, and those in a prefix shared with the previous call of the same kind, which a server can cache. */
const countPromptTokens = (requests: readonly SeenRequest[]) => {
  const last = new Map<string, string>()
  let [tokens, shared] = [0, 0]
  for (const seen of requests.filter((r) => r.path === "/api/chat")) {
    const prompt = promptOf(seen)
    tokens += estimateTokens(prompt)
    shared += estimateTokens(prompt.slice(0, sharedPrefixLength(prompt, last.get(seen.kind) ?? "")))
    last.set(seen.kind, prompt)
  }
  return { prompt_tokens: tokens, shared_prefix_tokens: shared }
}

const maxConcurrentChats = (requests: readonly SeenRequest[]): number => {
  const chats = requests.filter((r) => r.path === "/api/chat" && r.to !== undefined)
  return Math.max(0, ...chats.map((r) => chats.filter((o) => o.from <= r.from && o.to! > r.from).length))
}

/** Returns the calls of each stage, and its duration if only the server and the number of concurrent calls limit it. */
const stageTimes = (requests: readonly SeenRequest[], concurrency: number, latencies: Latencies) => {
  const time = (kind: Kind, level?: 1 | 2) => {
    const n = requests.filter((r) => r.kind === kind && (level === undefined || r.level === level)).length
    return { n, path: Math.ceil(n / concurrency) * latencies[kind] }
  }
  return {
    l1: time("boundaries", 1),
    decide: time("decide"),
    l2: time("boundaries", 2),
    summarize_l1: time("summary", 1),
    summarize_l2: time("summary", 2),
    summaries: time("summary"),
    l0: time("overview"),
    persist: time("embed"),
  }
}

/**
 * Returns the minimum time between l1 and l0 in milliseconds: decide and l2, then the summaries that did not run at the
 * same time as these.
 */
const middlePath = (t: ReturnType<typeof stageTimes>, concurrency: number, { summary }: Latencies): number => {
  const decideAndL2 = t.decide.path + t.l2.path
  const concurrent = Math.floor(decideAndL2 / summary) * Math.max(0, concurrency - Math.max(t.decide.n, t.l2.n))
  const remaining = Math.max(t.summarize_l2.n, t.summarize_l2.n + t.summarize_l1.n - concurrent)
  return Math.max(decideAndL2 + Math.ceil(remaining / concurrency) * summary, t.summarize_l1.path)
}

const CRITICAL_PATH = ["whisper", "l1", "decide", "l2", "summarize_l2", "l0", "persist"] as const

/** Returns the total milliseconds between the stages of the critical path. */
const sumGaps = (job: JobRecord, lines: readonly LogLine[]): number => {
  const loggedAt = (msg: string, stage: string) =>
    Date.parse(lines.find((l) => l.job_id === job.job_id && l.stage === stage && l.msg === msg)!.time)
  return CRITICAL_PATH.reduce((sum, stage, i) => {
    const before = i === 0 ? Date.parse(job.created_at) : loggedAt("stage ended", CRITICAL_PATH[i - 1]!)
    return sum + loggedAt("stage started", stage) - before
  }, 0)
}

const durationMs = (job: JobRecord): number => Date.parse(job.finished_at!) - Date.parse(job.created_at)

const measure = async (server: OllamaServer, minutes: number, concurrency: number, jobs: number) => {
  const bench = await openInstallation({ SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: server.url })
  try {
    await Promise.all([bench.worker(STAGE_NAMES.filter((s) => s !== "persist")), bench.worker(["persist"])])
    const words = speechWords({ subjects: Math.max(2, Math.round((minutes * 60) / SUBJECT_S)), secondsEach: SUBJECT_S })
    const runJob = async (n: number | string): Promise<JobRecord> => {
      const source = `https://example.org/${n}`
      const context = { num_ctx_l1: 32_768, num_ctx_fanout: 32_768 }
      const id = await bench.submit({ source, transcription: words, max_concurrency: concurrency, ...context })
      const ended = await bench.until(id, (j) => j.status === "done" || j.status === "error", 300_000)
      if (ended.status !== "done") throw new Error(`The job failed: ${JSON.stringify(ended.error)}`)
      return ended
    }
    // The first job loads the model and chooses the engines of the installation.
    await runJob("first")
    server.reset()
    const ended = await Promise.all(Array.from({ length: jobs }, (_, i) => runJob(i)))
    const lines = bench.workers.flatMap((w) => w.lines)
    return { wall: Math.max(...ended.map(durationMs)), gaps: Math.max(...ended.map((job) => sumGaps(job, lines))) }
  } finally {
    await bench.close()
  }
}

/**
 * Measures the topic stages in two parts, unless `--part` selects one.
 *
 * `builtin` runs all stages of the builtin provider in this process, for five hours of speech.
 *
 * `schedule` runs jobs through the queue, the store and two worker processes, with a simulated model server over HTTP. It
 * compares the wall-clock time of the slowest job with the longest path of the stage graph, and with the same calls in
 * five sequential stages (l1, decide, l2, all summaries, l0). Options: `--minutes` of each recording, `--concurrency` of
 * calls, number of `--jobs` submitted together, and `--times`, a factor for the latencies of the server.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "20,60" },
      concurrency: { type: "string", default: "8" },
      jobs: { type: "string", default: "1" },
      times: { type: "string", default: "1" },
      part: { type: "string" },
    },
  })
  if (values.part !== "schedule") await runBuiltin()
  if (values.part === "builtin") return
  const [concurrency, jobs] = [Number(values.concurrency), Number(values.jobs)]
  const server = await startOllamaServer()
  const latencies = Object.fromEntries(
    Object.entries(LATENCIES).map(([kind, ms]) => [kind, ms * Number(values.times)]),
  ) as Latencies
  server.latencies = latencies
  try {
    for (const minutes of values.minutes.split(",").map(Number)) {
      const { wall, gaps } = await measure(server, minutes, concurrency, jobs)
      const t = stageTimes(server.requests, concurrency, latencies)
      const longest = t.l1.path + middlePath(t, concurrency, latencies) + t.l0.path + t.persist.path
      const stages = ["l1", "decide", "l2", "summaries", "l0", "persist"] as const
      const sequence = stages.reduce((sum, stage) => sum + t[stage].path, 0)
      const { calls } = server.stats()
      printResult({
        bench: "topics",
        minutes,
        jobs,
        wall_ms: wall,
        between_stages_ms: gaps,
        longest_path_ms: longest,
        ratio_to_longest_path: round(wall / longest, 3),
        sequential_ms: sequence,
        ratio_to_sequential: round(wall / sequence, 3),
        chat_calls: server.requests.filter((r) => r.path === "/api/chat").length,
        calls,
        ...countPromptTokens(server.requests),
        max_concurrent_chats: maxConcurrentChats(server.requests),
        loads: server.stats().loads,
      })
      server.reset()
    }
  } finally {
    await server.close()
  }
}
