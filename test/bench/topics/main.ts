import { parseArgs } from "node:util"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { estimateTokens } from "#lib/engines/language/ollama/tokens.ts"
import { type LogLine, openInstallation } from "../../fixtures/installation.ts"
import { type OllamaServer, type Seen, startOllamaServer } from "../../fixtures/ollama-server.ts"
import { speechWords } from "../../fixtures/speech-words.ts"
import { builtinRun } from "./builtin.ts"

/** What a call of each kind takes on the simulated server, in milliseconds: about what a model of 8B takes on one GPU. */
const LATENCIES = { boundaries: 4000, decide: 1500, summary: 2500, overview: 3500, embed: 100 } as const
type Kind = keyof typeof LATENCIES
type Latencies = Readonly<Record<Kind, number>>

const SUBJECT_S = 300

const promptOf = (seen: Seen): string => (seen.body.messages ?? []).map((m) => m.content).join("\n")

const sharedPrefix = (a: string, b: string): number => {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}

/** Calls and prompt tokens, and how many of these stand in a prefix that the call of the kind before had too. */
const spent = (requests: readonly Seen[]) => {
  const last = new Map<string, string>()
  let [tokens, known] = [0, 0]
  for (const seen of requests.filter((r) => r.path === "/api/chat")) {
    const prompt = promptOf(seen)
    tokens += estimateTokens(prompt)
    known += estimateTokens(prompt.slice(0, sharedPrefix(prompt, last.get(seen.kind) ?? "")))
    last.set(seen.kind, prompt)
  }
  return { prompt_tokens: tokens, of_known_prefix: known }
}

const mostAtOnce = (requests: readonly Seen[]): number => {
  const chats = requests.filter((r) => r.path === "/api/chat" && r.to !== undefined)
  return Math.max(0, ...chats.map((r) => chats.filter((o) => o.from <= r.from && o.to! > r.from).length))
}

/** What each stage takes when only the server and the number of calls at once hold it up, and how many calls it makes. */
const stageTimes = (requests: readonly Seen[], most: number, latencies: Latencies) => {
  const time = (kind: Kind, level?: 1 | 2) => {
    const n = requests.filter((r) => r.kind === kind && (level === undefined || r.level === level)).length
    return { n, path: Math.ceil(n / most) * latencies[kind] }
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
 * The least that lies between l1 and l0: deciding and dividing, then all summaries but those of topics that find a place
 * beside that. Milliseconds.
 */
const middlePath = (t: ReturnType<typeof stageTimes>, most: number, { summary }: Latencies): number => {
  const before = t.decide.path + t.l2.path
  const beside = Math.floor(before / summary) * Math.max(0, most - Math.max(t.decide.n, t.l2.n))
  const after = Math.max(t.summarize_l2.n, t.summarize_l2.n + t.summarize_l1.n - beside)
  return Math.max(before + Math.ceil(after / most) * summary, t.summarize_l1.path)
}

const PATH = ["whisper", "l1", "decide", "l2", "summarize_l2", "l0", "persist"] as const

/** Time between the end of a stage and the beginning of the next one on the longest path, in milliseconds. */
const between = (job: JobRecord, lines: readonly LogLine[]): number => {
  const at = (msg: string, stage: string) =>
    Date.parse(lines.find((l) => l.job_id === job.job_id && l.stage === stage && l.msg === msg)!.time)
  return PATH.reduce((sum, stage, i) => {
    const before = i === 0 ? Date.parse(job.created_at) : at("stage ended", PATH[i - 1]!)
    return sum + at("stage started", stage) - before
  }, 0)
}

const took = (job: JobRecord): number => Date.parse(job.finished_at!) - Date.parse(job.created_at)

const measure = async (server: OllamaServer, minutes: number, most: number, jobs: number) => {
  const bench = await openInstallation({ SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: server.url })
  try {
    await Promise.all([bench.worker(STAGE_NAMES.filter((s) => s !== "persist")), bench.worker(["persist"])])
    const words = speechWords({ subjects: Math.max(2, Math.round((minutes * 60) / SUBJECT_S)), secondsEach: SUBJECT_S })
    const one = async (n: number | string): Promise<JobRecord> => {
      const source = `https://example.org/${n}`
      const context = { num_ctx_l1: 32_768, num_ctx_fanout: 32_768 }
      const id = await bench.submit({ source, transcription: words, max_concurrency: most, ...context })
      const ended = await bench.until(id, (j) => j.status === "done" || j.status === "error", 300_000)
      if (ended.status !== "done") throw new Error(`the job ended in ${JSON.stringify(ended.error)}`)
      return ended
    }
    // The first job loads the model and makes the choices of the installation.
    await one("first")
    server.reset()
    const ended = await Promise.all(Array.from({ length: jobs }, (_, i) => one(i)))
    const lines = bench.workers.flatMap((w) => w.lines)
    return { wall: Math.max(...ended.map(took)), gaps: Math.max(...ended.map((job) => between(job, lines))) }
  } finally {
    await bench.close()
  }
}

/**
 * First (`--part builtin`) five hours of speech by the builtin engine, all stages in this process. Then (`--part schedule`)
 * the topic stages of recordings through queue, store and two worker processes, against a simulated model server over
 * HTTP: wall clock of the last job from submission to its end, against the longest path of the graph, and against the same
 * calls in five stages one after the other (l1, decide, l2, all summaries, l0), each as many at once. `--minutes`,
 * `--concurrency`, `--jobs` at once, `--times` what the server's latencies are multiplied with.
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
  if (values.part !== "schedule") await builtinRun()
  if (values.part === "builtin") return
  const [most, jobs] = [Number(values.concurrency), Number(values.jobs)]
  const server = await startOllamaServer()
  const latencies = Object.fromEntries(
    Object.entries(LATENCIES).map(([kind, ms]) => [kind, ms * Number(values.times)]),
  ) as Latencies
  server.latencies = latencies
  try {
    for (const minutes of values.minutes.split(",").map(Number)) {
      const { wall, gaps } = await measure(server, minutes, most, jobs)
      const t = stageTimes(server.requests, most, latencies)
      const longest = t.l1.path + middlePath(t, most, latencies) + t.l0.path + t.persist.path
      const five = ["l1", "decide", "l2", "summaries", "l0", "persist"] as const
      const sequence = five.reduce((sum, stage) => sum + t[stage].path, 0)
      const { calls } = server.stats()
      console.log(
        JSON.stringify({
          bench: "topics",
          minutes,
          jobs,
          wall_ms: wall,
          between_stages_ms: gaps,
          longest_path_ms: longest,
          ratio: Number((wall / longest).toFixed(3)),
          five_stages_ms: sequence,
          of_five_stages: Number((wall / sequence).toFixed(3)),
          chat_calls: server.requests.filter((r) => r.path === "/api/chat").length,
          calls,
          ...spent(server.requests),
          most_at_once: mostAtOnce(server.requests),
          loads: server.stats().loads,
        }),
      )
      server.reset()
    }
  } finally {
    await server.close()
  }
}
