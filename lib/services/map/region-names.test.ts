import { describe, expect, it } from "vitest"
import type { PhraseCount } from "../../domain/text/phrases.ts"
import { countTerms } from "../../domain/text/terms.ts"
import type { Speech } from "../../domain/topics/speech.ts"
import type { MapTopic } from "../../storage/stores/ports/map.ts"
import { TopicIndex } from "../search/topic-index.ts"
import { RegionNamer } from "./region-names.ts"

type Said = {
  readonly phrases?: readonly (string | PhraseCount)[]
  readonly title?: string
  readonly level?: 1 | 2 | 3
  readonly duration_s?: number
}

const none = countTerms([])
const toPhrase = (phrase: string | PhraseCount): PhraseCount =>
  typeof phrase === "string" ? { key: phrase, form: phrase, count: 1 } : phrase

/** Creates a namer of regions of topics in which the given phrases are said. */
const createNamer = (...said: readonly Said[]) => {
  const topics = said.map(
    ({ title = "", level = 2, duration_s = 10 }, i): MapTopic => ({
      clip_id: "c",
      level,
      number: `1.${i}`,
      title,
      summary: "",
      start_s: 0,
      duration_s,
      speaker: null,
      hash: `${i}`,
      text: "",
      speechHash: `${i}`,
    }),
  )
  const speech = new Map(
    said.map(({ phrases = [] }, i): [string, Speech] => [
      `${i}`,
      { hash: `${i}`, terms: none, phrases: phrases.map(toPhrase) },
    ]),
  )
  const written = new Map(topics.map(({ hash }) => [hash, { title: none, summary: none }]))
  const clips = [{ id: "c", title: "", speakers: {}, date: "" }]
  return new RegionNamer(new TopicIndex({ revision: 1, clips, topics }, speech, written))
}
const saying = (...phrases: (string | PhraseCount)[]): Said => ({ phrases })
const OTHERS = [saying("tide"), saying("tide"), saying("comet"), saying("comet")]

describe("the name of a region", () => {
  it("is a phrase that several of its topics say, and few others", () => {
    const namer = createNamer(saying("bee", "thing"), saying("bee", "thing"), saying("wasp", "thing"), ...OTHERS)
    expect(namer.name([0, 1, 2])).toMatchObject({ name: "Thing, bee", phrases: ["thing", "bee"] })
    const shared = createNamer(
      saying("bee", "thing"),
      saying("bee", "thing"),
      saying("thing"),
      saying("thing"),
      saying("thing"),
      saying("thing"),
    )
    expect(shared.name([0, 1]).name).toBe("Bee")
  })

  it("is no phrase of one topic only, or of a whole recording", () => {
    expect(createNamer(saying("bee"), { phrases: ["wasp"], title: "Wasps" }, ...OTHERS).name([0, 1]).phrases).toEqual(
      [],
    )
    const recording: Said = { phrases: ["bee"], level: 1 }
    expect(createNamer(recording, saying("bee"), ...OTHERS).name([0, 1]).phrases).toEqual([])
    expect(createNamer(recording, saying("bee"), saying("bee"), ...OTHERS).name([0, 1, 2]).name).toBe("Bee")
  })

  it("is a longer phrase that contains the best one, if enough of its topics say it", () => {
    const namer = (longer: number) =>
      createNamer(
        ...Array.from({ length: 10 }, (_, i) => (i < longer ? saying("bee", "honey bee farm") : saying("bee"))),
        ...Array.from({ length: 30 }, () => saying("tide")),
      )
    const all = Array.from({ length: 10 }, (_, i) => i)
    expect(namer(4).name(all).name).toBe("Honey bee farm")
    expect(namer(3).name(all).name).toBe("Bee")
    const part = createNamer(saying("bee", "beehive hut"), saying("bee", "beehive hut"), ...OTHERS)
    expect(part.name([0, 1]).phrases).toContain("bee")
  })

  it("has a second phrase about something else, if both have four words at most", () => {
    const twice = (...phrases: string[]) => createNamer(saying(...phrases), saying(...phrases), ...OTHERS).name([0, 1])
    expect(twice("honey bee", "garden soil").phrases.toSorted()).toEqual(["garden soil", "honey bee"])
    expect(twice("honey bee farm", "garden soil").phrases).toHaveLength(1)
    expect(twice("honey bee", "bee").phrases).toEqual(["honey bee"])
    const weak = createNamer(
      ...Array.from({ length: 12 }, (_, i) => (i < 2 ? saying("bee", "wasp") : saying("bee"))),
      ...OTHERS,
    )
    expect(weak.name(Array.from({ length: 12 }, (_, i) => i)).phrases).toEqual(["bee"])
  })

  it("has the form that is written most often, with a capital first letter", () => {
    const form = (form: string, count: number): PhraseCount => ({ key: "nasa rocket", form, count })
    const forms = [form("NASA rockets", 2), form("nasa rocket", 3), form("NASA rockets", 2)].map((f) => saying(f))
    expect(createNamer(...forms, ...OTHERS).name([0, 1, 2]).name).toBe("NASA rockets")
    const equal = [form("rocket b", 1), form("rocket a", 1), form("rockets", 1)].map((f) => saying(f))
    expect(createNamer(...equal, ...OTHERS).name([0, 1, 2]).name).toBe("Rockets")
    for (const forms of [equal.slice(0, 2), equal.slice(0, 2).reverse()])
      expect(createNamer(...forms, ...OTHERS).name([0, 1]).name).toBe("Rocket a")
  })

  it("differs from all others, also in its first phrase, and shares no word with the region around it", () => {
    const regions = Array.from({ length: 3 }, () => [saying("bee", "wasp"), saying("bee", "wasp")]).flat()
    const namer = createNamer(...regions, ...Array.from({ length: 20 }, () => saying("tide")))
    const first = namer.name([0, 1])
    expect(first.phrases.toSorted()).toEqual(["bee", "wasp"])
    const second = namer.name([2, 3])
    expect(second.phrases[0]).toBe(first.phrases[1])
    expect(namer.name([4, 5]).phrases).toEqual([])
    const inner = createNamer(...regions, ...Array.from({ length: 20 }, () => saying("tide")))
    expect(inner.name([0, 1], new Set(["bee"])).name).toBe("Wasp")
    expect([...inner.name([2, 3], new Set(["wasp"])).stems]).toEqual(["bee"])
  })

  it("is the title of its longest topic if no phrase is repeated, or a number", () => {
    const short: Said = { title: "Short", duration_s: 5 }
    const long: Said = { title: "Long", duration_s: 50 }
    const namer = createNamer(short, long, { duration_s: 99 }, { title: "LONG", duration_s: 60 })
    expect(namer.name([0, 1, 2])).toEqual({ name: "Long", phrases: [], stems: new Set() })
    expect(namer.name([0, 3]).name).toBe("Short")
    expect(namer.name([3]).name).toBe("Region 3")
    expect(namer.name([3]).name).toBe("Region 4")
  })
})
