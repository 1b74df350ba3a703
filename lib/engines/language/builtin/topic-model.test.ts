import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { TopicDetail } from "../../../domain/jobs/jobs.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { CallContext, NodeSpan, Span } from "../types.ts"
import { createBuiltinTopicModel } from "./topic-model.ts"

const model = createBuiltinTopicModel()
const ctx: CallContext = { signal: new AbortController().signal, numCtx: 8192, reasoning: false }
const whole = (words: readonly WordSpan[]): Span => ({ start_s: 0, end_s: words.at(-1)?.end ?? 0 })
const divide = (words: readonly WordSpan[], within = whole(words), level: 1 | 2 = 1): Promise<Span[]> =>
  model.findBoundaries({ words, within, level, detail: "normal", blockSeconds: 30 }, ctx)
const numbered = (spans: readonly Span[]): NodeSpan[] => spans.map((s, i) => ({ ...s, id: String(i + 1) }))

const POOLS = [
  "database migration server customer records schema index backup replication query table column transaction storage",
  "garden tomatoes peppers compost watering seeds soil sunlight pruning harvest roses mulch gardener beds greenhouse",
  "rocket engine oxygen methane thrust orbit launch booster landing payload trajectory astronauts countdown fuel",
].map((pool) => pool.split(" "))
const GLUE = "we think that the and then with some of our new because it will need more before".split(" ")

/** Builds sentences of twelve words from one pool per subject. One speaker continues across the first boundary. */
const talk = (
  seed: number,
  lengths: readonly number[],
  punctuated: boolean,
): { words: WordSpan[]; boundaries: number[] } => {
  let state = seed
  const pick = (list: readonly string[]): string => {
    state = (state * 1103515245 + 12345) % 2147483648
    return list[Math.floor((state / 2147483648) * list.length)]!
  }
  const words: WordSpan[] = []
  const boundaries: number[] = []
  let clock = 0
  let turn = 0
  lengths.forEach((sentences, subject) => {
    if (subject > 0) boundaries.push(clock)
    for (let s = 0; s < sentences; s++) {
      if (s % 5 === 3) turn++
      for (let w = 0; w < 12; w++) {
        let word = pick(w % 2 ? POOLS[subject]! : GLUE)
        if (punctuated && w === 0) word = word[0]!.toUpperCase() + word.slice(1)
        if (punctuated && w === 11) word += "."
        words.push({ word, start: clock, end: clock + 0.35, speaker: String(turn % 2) })
        clock += 0.4
      }
      clock += 0.5
    }
  })
  return { words, boundaries }
}

const SYLLABLES = "ba cho du fe gi kla mo nu pra ta".split(" ")

/** Builds a talk whose subject changes every 75 sentences, and half of its words every 15 sentences. */
const buildParts = (parts: number): WordSpan[] => {
  const words: WordSpan[] = []
  let state = 9
  const random = (n: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * n)
  }
  for (let s = 0; s < parts * 15; s++) {
    const part = Math.floor(s / 15)
    for (let w = 0; w < 10; w++) {
      const pool = POOLS[Math.floor(part / 5) % POOLS.length]!
      const word = random(2) > 0 ? pool[random(pool.length)]! : `${SYLLABLES[part % 10]}${SYLLABLES[random(3)]}n`
      const at = s * 6 + w * 0.5
      words.push({ word: w === 9 ? `${word}.` : word, start: at, end: at + 0.4, speaker: "0" })
    }
  }
  return words
}

describe("builtin boundaries", () => {
  for (const punctuated of [true, false])
    it(`find three subjects in words ${punctuated ? "with" : "without"} punctuation`, async () => {
      for (let seed = 40; seed < 50; seed++) {
        const { words, boundaries } = talk(seed, [17, 18, 13], punctuated)
        const cuts = (await divide(words)).slice(1).map((p) => p.start_s)
        for (const boundary of boundaries) expect(cuts.some((c) => Math.abs(c - boundary) < 6)).toBe(true)
        expect(cuts.length).toBeLessThanOrEqual(4)
      }
    })
  it("are not found within a single subject", async () => {
    const { words } = talk(7, [20], true)
    const [node] = numbered(await divide(words))
    const answer = await model.decide({ words, node: node!, siblings: [node!], detail: "normal" }, ctx)
    expect(answer).toEqual({ subdivide: false, reason: "The vocabulary stays the same throughout." })
  })
  it("agree with the decision to subdivide", async () => {
    const { words } = talk(42, [17, 18, 13], true)
    const node: NodeSpan = { id: "1", ...whole(words) }
    const { subdivide, reason } = await model.decide({ words, node, siblings: [node], detail: "normal" }, ctx)
    expect(subdivide).toBe(true)
    expect(reason).toMatch(/^The vocabulary changes at 1:30 and 3:05\.$/)
    expect((await divide(words, node, 2)).length).toBe(3)
  })
  it("are as many as the detail asks for in a long talk, and never more in a short one", async () => {
    const long = buildParts(60)
    const short = talk(42, [17, 18, 13], true).words
    const count = async (words: readonly WordSpan[], detail: TopicDetail) =>
      (await model.findBoundaries({ words, within: whole(words), level: 1, detail, blockSeconds: 30 }, ctx)).length
    const [fewer, normal, more] = [await count(long, "fewer"), await count(long, "normal"), await count(long, "more")]
    expect([fewer, normal, more]).toEqual([12, 24, 60])
    expect(await count(short, "more")).toBe(await count(short, "normal"))
  })
  it("cover any transcript without gaps", async () => {
    const span = fc.record({
      word: fc.constantFrom("a", "boat.", "um", "Stars", "…", "東京"),
      gap: fc.nat(3),
      speaker: fc.nat(1),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(span, { maxLength: 80 }), async (list) => {
        let clock = 0
        const words = list.map(({ word, gap, speaker }) => {
          clock += gap * 4
          return { word, start: clock, end: clock + 1, speaker: String(speaker) }
        })
        const within = whole(words)
        const spans = await divide(words, within)
        expect(spans[0]!.start_s).toBe(within.start_s)
        expect(spans.at(-1)!.end_s).toBe(within.end_s)
        spans.slice(1).forEach((p, i) => {
          expect(p.start_s).toBe(spans[i]!.end_s)
          expect(p.start_s).toBeGreaterThan(spans[i]!.start_s)
        })
      }),
      { numRuns: 60 },
    )
  })
  it("support twenty thousand words", async () => {
    const { words } = talk(1, [600, 600, 500], true)
    expect((await divide(words)).length).toBe(3)
  })
  it("stop if aborted", async () => {
    await expect(
      model.findBoundaries(
        { words: [], within: whole([]), level: 1, detail: "normal", blockSeconds: 30 },
        { ...ctx, signal: AbortSignal.abort() },
      ),
    ).rejects.toThrow()
  })
})

describe("builtin titles and summaries", () => {
  const { words } = talk(42, [17, 18, 13], true)
  const describeAll = async (spoken: readonly WordSpan[]) => {
    const nodes = numbered(await divide(spoken))
    return Promise.all(nodes.map((node) => model.summarize({ words: spoken, node, siblings: nodes }, ctx)))
  }
  it("name each subject by its own words", async () => {
    const titles = (await describeAll(words)).map((s) => s.title.toLowerCase())
    expect(new Set(titles).size).toBe(titles.length)
    titles.forEach((title, i) => {
      const own = title.split(" ").filter((word) => word !== "and")
      expect(own.every((word) => POOLS[i]!.includes(word))).toBe(true)
    })
  })
  it("use spoken phrases without numbers, days, verbs and fillers", async () => {
    const say = (text: string, times: number) => Array.from({ length: times }, () => text.split(" ")).flat()
    const spoken = [
      ...say("well on thursday we tested the echo canceller and the echo canceller gave eighty percent", 8),
      ...say("then in july they improve the solar cell because the solar cell is currently expensive", 8),
    ].map((word, i) => ({ word, start: i / 2, end: i / 2 + 0.4, speaker: "0" }))
    const boundary = spoken.length / 4
    const nodes = numbered([
      { start_s: 0, end_s: boundary },
      { start_s: boundary, end_s: boundary * 2 },
    ])
    const titles = await Promise.all(
      nodes.map(async (node) => (await model.summarize({ words: spoken, node, siblings: nodes }, ctx)).title),
    )
    expect(titles).toEqual(["Echo Canceller", "Solar Cell"])
  })
  it("name what a section returns to, also if the whole recording is about it", async () => {
    const texts = [
      "we sell the solar cell to schools and the solar cell is on every roof of the schools because people like roofs",
      "now the solar cell needs a battery so the battery of the solar cell is charged . people said so and people were there and people asked .",
    ]
    const spoken = texts
      .flatMap((text) => Array.from({ length: 6 }, () => text.split(" ")).flat())
      .map((word, i) => ({ word, start: i / 2, end: i / 2 + 0.4, speaker: "0" }))
    const boundary_s = (texts[0]!.split(" ").length * 6) / 2
    const nodes = numbered([
      { start_s: 0, end_s: boundary_s },
      { start_s: boundary_s, end_s: spoken.at(-1)!.end },
    ])
    const titles = await Promise.all(
      nodes.map(async (node) => (await model.summarize({ words: spoken, node, siblings: nodes }, ctx)).title),
    )
    for (const title of titles) expect(title).toContain("Solar Cell")
    expect(new Set(titles).size).toBe(2)
    expect(titles.join(" ")).not.toContain("People")
  })
  it("add a second phrase where two sections have the same first one", async () => {
    const say = (text: string, times: number) => Array.from({ length: times }, () => text.split(" ")).flat()
    const spoken = [
      ...say("we tested the echo canceller .", 12),
      ...say("there was noise in the room .", 2),
      ...say("we tested the echo canceller .", 11),
      ...say("then there was a delay of the loudspeaker .", 2),
    ].map((word, i) => ({ word, start: i / 2, end: i / 2 + 0.4, speaker: "0" }))
    const boundary_s = (12 * 6 + 2 * 7) / 2
    const nodes = numbered([
      { start_s: 0, end_s: boundary_s },
      { start_s: boundary_s, end_s: spoken.at(-1)!.end },
    ])
    const [first, second] = await Promise.all(
      nodes.map(async (node) => (await model.summarize({ words: spoken, node, siblings: nodes }, ctx)).title),
    )
    expect(first).toBe("Echo Canceller")
    expect(second).toMatch(/^(?:Delay|Loudspeaker) and Echo Canceller$/)
  })
  it("consist of complete sentences", async () => {
    for (const { summary } of await describeAll(words)) expect(summary).toMatch(/^\p{Lu}.+\.$/u)
  })
  it("exist for any transcript, however short", async () => {
    for (const text of [
      "",
      "um",
      "Hello",
      "um um uh",
      "the the of of",
      "Hello there my old friend",
      "東京に行きました。",
      "12 13 14",
    ]) {
      const spoken = text
        .split(" ")
        .filter(Boolean)
        .map((word, i) => ({ word, start: i, end: i + 0.5, speaker: "0" }))
      const nodes = numbered(await divide(spoken))
      expect(nodes.length).toBe(1)
      const own = await model.summarize({ words: spoken, node: nodes[0]!, siblings: nodes }, ctx)
      const all = await model.summarizeRecording(
        { words: spoken, topics: [{ ...nodes[0]!, ...own, children: [] }] },
        ctx,
      )
      for (const { title, summary } of [own, all]) {
        expect(title.length).toBeGreaterThan(0)
        expect(title.length).toBeLessThanOrEqual(120)
        expect(summary.length).toBeGreaterThan(0)
      }
    }
  })
  it("differ for equal sections", async () => {
    const spoken = Array.from({ length: 40 }, (_, i) => ({ word: "boat", start: i, end: i + 0.5, speaker: "0" }))
    const nodes = numbered([10, 20, 30, 40].map((end_s) => ({ start_s: end_s - 10, end_s })))
    const titles = await Promise.all(
      nodes.map(async (node) => (await model.summarize({ words: spoken, node, siblings: nodes }, ctx)).title),
    )
    expect(new Set(titles).size).toBe(4)
  })
  it("name the recording after its longest topics", async () => {
    const nodes = numbered(await divide(words))
    const topics = await Promise.all(
      nodes.map(async (node) => ({
        ...node,
        ...(await model.summarize({ words, node, siblings: nodes }, ctx)),
        children: [],
      })),
    )
    const { title, summary } = await model.summarizeRecording({ words, topics }, ctx)
    for (const topic of topics) expect(title).toContain(topic.title.split(" and ")[0])
    expect(summary.split(". ").length).toBeGreaterThanOrEqual(2)
  })
})
