import { jobOptions } from "#lib/domain/jobs/jobs.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { createBuiltinEmbedder, createBuiltinTopicModel } from "#lib/engines/language/builtin/index.ts"
import { runInline } from "#lib/pipeline/run-inline.ts"
import { createLogger } from "#lib/platform/logger.ts"

const nobody = () => Promise.reject(new Error("nobody listens"))

const HOURS = 5
const WORDS_A_SECOND = 2.55
const SUBJECT_S = 240
const [COMMON, OWN] = [1500, 60]
const FUNCTION_WORDS = "the of and to a in that is it we you i for on with this be as are so have but not was".split(
  " ",
)

const generator = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

/** Made-up speech: half function words, then words of the recording and of the subject, frequent ones by Zipf's law. */
const madeUp = (): WordSpan[] => {
  const random = generator(7)
  const zipf = (n: number) => Math.min(n - 1, Math.floor(n ** random()) - 1)
  const syllables = "ba ke lo mi nu ra se to vi za dor fen gal hin jas".split(" ")
  const name = (n: number): string =>
    n < syllables.length ? syllables[n]! : name(Math.floor(n / 15)) + syllables[n % 15]!
  let left = 0
  return Array.from({ length: Math.round(HOURS * 3600 * WORDS_A_SECOND) }, (_, i) => {
    const start = i / WORDS_A_SECOND
    const subject = Math.floor(start / SUBJECT_S)
    const kind = random()
    const text =
      kind < 0.5
        ? FUNCTION_WORDS[zipf(FUNCTION_WORDS.length)]!
        : name(200 + (kind < 0.75 ? zipf(COMMON) : COMMON + subject * OWN + zipf(OWN)))
    if (left <= 0) left = 6 + Math.floor(random() * 18)
    const mark = --left === 0 ? "." : ""
    return { word: text + mark, start, end: start + 0.35, speaker: String(Math.floor(start / 45) % 3) }
  })
}

/** Five hours of made-up speech through all topic stages of the builtin engine, vectors included: time and memory. */
export const builtinRun = async (): Promise<void> => {
  const words = madeUp()
  const [started, before] = [performance.now(), process.cpuUsage()]
  const { tree } = await runInline({
    sessionId: "fa678091-b771-53c5-bb5c-b97259498be6",
    source: { kind: "file", path: "/made-up" },
    options: jobOptions.parse({ provider: "builtin" }),
    words,
    engines: {
      topicsFor: async () => createBuiltinTopicModel(),
      embedder: async () => createBuiltinEmbedder(),
      release: async () => {},
      speech: { pick: nobody, computeWaveform: nobody, close: async () => {} },
    },
    openSource: () => Promise.reject(new Error("nothing is opened")),
    signal: new AbortController().signal,
    log: createLogger("silent", "bench"),
  })
  const cpu = process.cpuUsage(before)
  const topics = tree!.topics[0]!.children
  console.log(
    JSON.stringify({
      bench: "topics builtin",
      hours: HOURS,
      words: words.length,
      ms: Math.round(performance.now() - started),
      cpu_ms: Math.round((cpu.user + cpu.system) / 1000),
      peak_mb: Math.round(process.resourceUsage().maxRSS / 1024),
      topics: topics.length,
      parts: topics.reduce((sum, t) => sum + t.children.length, 0),
    }),
  )
}
