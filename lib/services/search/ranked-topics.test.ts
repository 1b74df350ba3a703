import { describe, expect, it } from "vitest"
import { countTerms } from "../../domain/text/terms.ts"
import type { MapStore, MapTopic } from "../../storage/stores/ports/map.ts"
import { keepBestOfTopic, rankAbove, rankTopicsByWords } from "./rank-topics.ts"
import { loadTopicIndex, TopicIndex } from "./topic-index.ts"

type Given = { readonly level?: 1 | 2 | 3; readonly title?: string; readonly summary?: string; readonly said?: string }

const topicOf = ({ level = 2, title = "", summary = "" }: Given, i: number): MapTopic => ({
  clip_id: "c",
  level,
  number: `1.${i}`,
  title,
  summary,
  start_s: 0,
  duration_s: 10,
  speaker: null,
  hash: `w${i}`,
  text: title,
  speechHash: `s${i}`,
})
const speechOf = (said: string, i: number) => ({ hash: `s${i}`, terms: countTerms([said]), phrases: [] })
const clips = [{ id: "c", title: "Voyage", speakers: {}, date: "" }]
const createIndex = (...given: Given[]) => {
  const topics = given.map(topicOf)
  const speech = new Map(
    given.flatMap(({ said }, i) => (said === undefined ? [] : [[`s${i}`, speechOf(said, i)] as const])),
  )
  const written = new Map(
    given.map(({ title = "", summary = "" }, i) => [
      `w${i}`,
      { title: countTerms([title]), summary: countTerms([summary]) },
    ]),
  )
  return new TopicIndex({ revision: 1, clips, topics }, speech, written)
}
const rank = (question: string, ...given: Given[]) =>
  rankTopicsByWords(createIndex(...given), question).map(({ row }) => row)

describe("the rank of a topic", () => {
  it("counts a word of the title three times, and of summary and speech once", () => {
    const [said, titled, summed] = [{ said: "bees" }, { title: "Bees" }, { summary: "Bees" }]
    expect(rank("bees", said, titled, summed)[0]).toBe(1)
    const scores = createIndex(said, summed, titled).score("bees")
    expect(scores[0]).toBeCloseTo(scores[1]!, 12)
    expect(scores[2]).toBeGreaterThan(1.1 * scores[0]!)
  })

  it("is higher for frequent words, rare words, short topics and pairs of words", () => {
    expect(rank("bees", { said: "bees tide" }, { said: "bees bees" })).toEqual([1, 0])
    expect(rank("bees tides", { said: "tides x" }, { said: "tides y" }, { said: "bees z" })[0]).toBe(2)
    expect(rank("bees", { said: "bees tides comets harbors" }, { said: "bees" })).toEqual([1, 0])
    expect(rank("garden soil", { said: "soil garden" }, { said: "garden soil" })).toEqual([1, 0])
    expect(rank("zebra", { said: "bees" })).toEqual([])
    expect(rank("of the", { said: "of the" })).toEqual([])
  })

  it("follows BM25", () => {
    const [long, short] = ["bees tides bees", "comets"]
    const lengthOf = (text: string) => countTerms([text]).counts.reduce((sum, count) => sum + count, 0)
    const index = createIndex({ said: long }, { said: short })
    const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    const meanLength = (lengthOf(long) + lengthOf(short)) / 2
    const norm = 1.2 * (1 - 0.75 + (0.75 * lengthOf(long)) / meanLength)
    const [score] = index.score("bees")
    expect(score).toBeCloseTo((idf * 2 * 2.2) / (2 + norm), 10)
    // Words that are repeated in a question count once, and pairs of words 0.3 times.
    expect(index.score("bees bees")[0]).toBeCloseTo(score!, 10)
    const pairs = createIndex({ said: "garden soil" }, { said: "comets tides" })
    // Both topics have the same length, so that one term has the same score in each.
    const term = (idf * 2.2) / (1 + 1.2)
    expect(pairs.score("garden soil")[0]).toBeCloseTo(2.3 * term, 10)
  })

  it("depends for a whole recording on its titles and summary, not on what is said", () => {
    const recording: Given = { level: 1, title: "Sea", summary: "Waves.", said: "bees" }
    for (const word of ["sea", "voyage", "waves"]) expect(rank(word, recording, { said: "x" })).toEqual([0])
    expect(rank("bees", recording, { said: "bees" })).toEqual([1])
    expect(rank("voyage", { said: "x" }, recording)).toEqual([1])
  })

  it("of a subtopic includes half of its topic's score, of no other topic", () => {
    const index = createIndex({ said: "bees" }, { level: 3, said: "x" }, { said: "y" }, { level: 3, said: "z" })
    const [topic, subtopic, ...others] = index.score("bees")
    expect(subtopic).toBeCloseTo(topic! / 2, 10)
    expect(others).toEqual([0, 0])
    expect([...index.parentOf]).toEqual([-1, 0, -1, 2])
  })
})

describe("ranked topics", () => {
  it("are above a limit, best first, 200 at most", () => {
    expect(rankAbove(Float64Array.of(0.2, 0.5, 0.1, 0.5), 0.1)).toEqual([
      { row: 1, score: 0.5 },
      { row: 3, score: 0.5 },
      { row: 0, score: 0.2 },
    ])
    expect(rankAbove(new Float64Array(300).fill(1), 0)).toHaveLength(200)
  })

  it("include a topic or its best subtopic", () => {
    const index = createIndex({}, { level: 3 }, { level: 3 }, {}, { level: 1 })
    const hits = [2, 0, 4, 1, 3].map((row) => ({ row, score: 1 }))
    expect(keepBestOfTopic(hits, index).map(({ row }) => row)).toEqual([2, 4, 3])
  })
})

describe("loadTopicIndex", () => {
  const createStore = () => {
    const state = { revision: 1, topics: [topicOf({ title: "Bees" }, 0)], speechOf: [] as string[][] }
    let isDown = false
    const map = {
      getRevision: async () => state.revision,
      getSnapshot: async () => {
        if (isDown) throw new Error("locked")
        return { revision: state.revision, clips, topics: state.topics }
      },
      getSpeech: async (hashes: readonly string[]) => {
        state.speechOf.push([...hashes])
        return new Map(hashes.map((hash) => [hash, { ...speechOf("tides", 0), hash }]))
      },
    } as unknown as MapStore
    return { state, store: { map }, setDown: (value: boolean) => (isDown = value) }
  }

  it("loads once per revision, and then only what is new", async () => {
    const { state, store } = createStore()
    const first = await loadTopicIndex(store)
    expect(await loadTopicIndex(store)).toBe(first)
    state.revision = 2
    state.topics = [...state.topics, topicOf({ title: "Comets" }, 1), topicOf({ title: "Comets" }, 1)]
    const second = await loadTopicIndex(store)
    expect(second).not.toBe(first)
    expect(state.speechOf).toEqual([["s0"], ["s1"]])
    expect([...second.speech.keys()].sort()).toEqual(["s0", "s1"])
    expect(second.getWritten("w0")).toBe(first.getWritten("w0"))
    expect([...second.score("comets")].map((score) => score > 0)).toEqual([false, true, true])
    // An answer that was read before a change, and arrives after it, does not replace the newer one.
    state.revision = 1
    expect(await loadTopicIndex(store)).toBe(second)
  })

  it("tries again after an error", async () => {
    const { state, store, setDown } = createStore()
    setDown(true)
    await expect(loadTopicIndex(store)).rejects.toThrow("locked")
    setDown(false)
    expect((await loadTopicIndex(store)).snapshot.topics).toBe(state.topics)
  })
})
