import { jobOptions } from "#lib/domain/jobs/jobs.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { createBuiltinEmbedder } from "#lib/engines/embedding/builtin.ts"
import { createBuiltinTopicModel } from "#lib/engines/language/builtin/index.ts"
import { runInline } from "#lib/pipeline/run-inline.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { printResult } from "../report.ts"

const notTranscribed = () => Promise.reject(new Error("This bench transcribes nothing."))

const HOURS = 5
const WORDS_PER_SECOND = 2.55
const SUBJECT_S = 240
/** The number of words that the recording uses throughout, and of those that each subject adds. */
const [COMMON_WORDS, SUBJECT_WORDS] = [1500, 60]
const FUNCTION_WORDS = "the of and to a in that is it we you i for on with this be as are so have but not was".split(
  " ",
)

const createRandom = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

/** Generates speech: half function words, a quarter words of the recording, a quarter words of the subject (Zipf's law). */
const generateWords = (): WordSpan[] => {
  const random = createRandom(7)
  const zipf = (n: number) => Math.min(n - 1, Math.floor(n ** random()) - 1)
  const syllables = "ba ke lo mi nu ra se to vi za dor fen gal hin jas".split(" ")
  const name = (n: number): string =>
    n < syllables.length ? syllables[n]! : name(Math.floor(n / 15)) + syllables[n % 15]!
  let wordsLeft = 0
  return Array.from({ length: Math.round(HOURS * 3600 * WORDS_PER_SECOND) }, (_, i) => {
    const start = i / WORDS_PER_SECOND
    const subject = Math.floor(start / SUBJECT_S)
    const kind = random()
    const text =
      kind < 0.5
        ? FUNCTION_WORDS[zipf(FUNCTION_WORDS.length)]!
        : name(200 + (kind < 0.75 ? zipf(COMMON_WORDS) : COMMON_WORDS + subject * SUBJECT_WORDS + zipf(SUBJECT_WORDS)))
    if (wordsLeft <= 0) wordsLeft = 6 + Math.floor(random() * 18)
    const mark = --wordsLeft === 0 ? "." : ""
    return { word: text + mark, start, end: start + 0.35, speaker: String(Math.floor(start / 45) % 3) }
  })
}

/** Measures time and memory of all topic stages of the builtin provider, including vectors, for five hours of speech. */
export const runBuiltin = async (): Promise<void> => {
  const words = generateWords()
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()]
  const { tree } = await runInline({
    sessionId: "fa678091-b771-53c5-bb5c-b97259498be6",
    source: { kind: "file", path: "/made-up" },
    options: jobOptions.parse({ provider: "builtin" }),
    given: { words, estimated_times: false },
    engines: {
      getTopicModel: async () => createBuiltinTopicModel(),
      getEmbedder: async () => createBuiltinEmbedder(),
      releaseModel: async () => {},
      speech: {
        pick: notTranscribed,
        embedSpeakers: notTranscribed,
        computeWaveform: notTranscribed,
        cutAudio: notTranscribed,
        close: async () => {},
      },
    },
    openSource: () => Promise.reject(new Error("This bench opens no source.")),
    signal: new AbortController().signal,
    log: createLogger("silent", "bench"),
  })
  const cpu = process.cpuUsage(cpuBefore)
  const topics = tree!.topics[0]!.children
  printResult({
    bench: "topics builtin",
    hours: HOURS,
    words: words.length,
    ms: Math.round(performance.now() - startedAt),
    cpu_ms: Math.round((cpu.user + cpu.system) / 1000),
    peak_mb: Math.round(process.resourceUsage().maxRSS / 1024),
    topics: topics.length,
    subtopics: topics.reduce((sum, t) => sum + t.children.length, 0),
  })
}
