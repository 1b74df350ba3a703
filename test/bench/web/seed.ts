import { randomUUID } from "node:crypto"
import { join } from "node:path"
import Database from "better-sqlite3"
import type { TopicNode } from "#lib/domain/topics/topic-tree.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openNode } from "#lib/services/installation/open-node.ts"

/** The words of each subject. A topic is about one of them. */
const SUBJECTS = [
  "boat harbour mast sail tide anchor keel hull rope captain",
  "bees honey hive queen swarm pollen comb keeper nectar wax",
  "comet orbit telescope tail nucleus sky observatory dust planet star",
  "budget invoice quarter forecast margin revenue cost audit tax report",
  "kitchen recipe bread oven flour yeast butter dough salt crust",
  "engine piston valve gearbox torque brake clutch fuel exhaust axle",
  "garden soil seed compost tomato lettuce watering greenhouse pruning mulch",
  "vaccine clinic nurse patient dose ward doctor treatment trial symptom",
  "server database query index cache deploy latency cluster backup schema",
  "violin concert rehearsal tempo melody chord orchestra bow rhythm score",
  "election ballot council mayor vote campaign district law policy debate",
  "school teacher pupil lesson homework exam classroom grade library pupilage",
].map((words) => words.split(" "))
const FILLERS =
  "we talked about the and then it was quite for a while so that many people said there is more to do".split(" ")
const NAMES = ["Ada", "Grace", "Linus", "Margaret", "Alan", "Barbara", "Donald", "Edsger", "Radia", "Ken"]

/** Returns a generator of numbers from 0 to 1 that is the same in every run (mulberry32). */
const createRandom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Moves the recordings back in time, each by half a day more than the next, as if they had been added one by one. */
const spreadOverTime = (file: string): void => {
  const database = new Database(file)
  database.exec("update clips set created_at = created_at - 43200000 * ((select max(rowid) from clips) - rowid)")
  database.close()
}

export type SeedOptions = {
  readonly recordings: number
  readonly topics: number
  /** The length of each topic in seconds. */
  readonly topicSeconds: number
}

/** Adds recordings with words and topics to the database of a folder, as the pipeline would. @returns their IDs */
export const seedLibrary = async (
  dir: string,
  { recordings, topics, topicSeconds }: SeedOptions,
): Promise<string[]> => {
  const config = loadConfig({ SERVICE_DATA_DIR: dir, SERVICE_PROVIDER: "builtin", SERVICE_MODELS_OFFLINE: "true" })
  const node = await openNode(config, createLogger("silent", "bench"))
  const store = node.store!
  const embedder = await node.engines.getEmbedder()
  const random = createRandom(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const ids: string[] = []
  try {
    for (let n = 0; n < recordings; n++) {
      const id = randomUUID()
      const words: WordSpan[] = []
      const children: TopicNode[] = []
      const [main, other] = [pick(SUBJECTS), pick(SUBJECTS)]
      for (let t = 0; t < topics; t++) {
        const subject = random() < 0.7 ? main : other
        const [from, to] = [t * topicSeconds, (t + 1) * topicSeconds]
        for (let at = from; at < to; at += 0.5) {
          const word = random() < 0.4 ? pick(subject) : pick(FILLERS)
          const isEnd = words.length % 12 === 11
          words.push({
            word: isEnd ? `${word}.` : word,
            start: at,
            end: at + 0.4,
            speaker: String(Math.floor(at / 48) % 3),
          })
        }
        const title = `${capitalize(pick(subject))} and ${pick(subject)}`
        const summary = `The ${pick(subject)} and the ${pick(subject)} are compared with ${pick(subject)}. Then the ${pick(subject)} is explained at length.`
        children.push({ title, summary, start_s: from, end_s: to, children: [] })
      }
      const end_s = topics * topicSeconds
      const root = {
        title: `${capitalize(main[0]!)} and ${other[1]}`,
        summary: `A conversation about ${main[0]}, ${main[1]} and ${other[2]}. It ends with ${other[3]}.`,
        start_s: 0,
        end_s,
        children,
      }
      const title = `${pick(["Meeting", "Podcast", "Lecture", "Interview"])} ${n + 1}: ${root.title}`
      const clip = { title, source_url: `https://example.com/${n}.mp3`, file_path: null }
      const transcript = { words, duration_s: end_s, language: n % 9 === 0 ? "de" : "en", speech_engine: "sherpa" }
      await store.clips.saveTranscript(id, clip, {
        ...transcript,
        whisper_model: "parakeet",
        file_path: null,
        diarized: true,
      })
      const tree = { topics: [root] }
      await store.topics.save(id, {
        tree,
        vectors: [],
        provider: "builtin",
        llm_model: null,
        embed_model: embedder.name,
      })
      if (n % 3 === 0)
        await store.clips.update(id, {
          speakers: { "0": pick(NAMES), "1": pick(NAMES) },
          ...(n % 6 === 0 && { tags: [pick(["interviews", "2026", "inbox"])], favorite: n % 12 === 0 }),
        })
      ids.push(id)
    }
  } finally {
    await node.close()
  }
  spreadOverTime(join(dir, "earmark.db"))
  return ids
}
