import { describe, expect, it } from "vitest"
import { addChip, type Chip, findMention, listDates, toChips, toFilter } from "./scope-chips.ts"

const chip = (kind: Chip["kind"], value: string, label = value): Chip => ({ kind, value, label })

describe("chips of a question", () => {
  it("become a filter, and a filter becomes chips", () => {
    const chips = [
      chip("clip", "c1", "Talk"),
      chip("tag", "board"),
      chip("tag", "q3"),
      chip("speaker", "Ada"),
      chip("region", "Masts"),
      chip("document", "d1", "hives.md"),
      chip("after", "2026-01-01", "Since 2026-01-01"),
    ]
    const filter = toFilter(chips)
    expect(filter).toEqual({
      clip_ids: ["c1"],
      tags: ["board", "q3"],
      speakers: ["Ada"],
      regions: ["Masts"],
      documents: ["d1"],
      after: "2026-01-01",
    })
    const names: Record<string, string> = { c1: "Talk", d1: "hives.md" }
    expect(toChips(filter, (_, id) => names[id])).toEqual(chips)
    expect(toChips(filter, () => undefined)[0]!.label).toBe("A recording")
    expect([toFilter([]), toChips(null, () => undefined)]).toEqual([null, []])
  })

  it("are there once, and dates once of each kind", () => {
    const chips = [chip("tag", "a"), chip("after", "2026-01-01"), chip("before", "2026-02-01")]
    expect(addChip(chips, chip("tag", "a"))).toHaveLength(3)
    expect(addChip(chips, chip("tag", "b"))).toHaveLength(4)
    expect(addChip(chips, chip("after", "2026-03-01")).map(({ value }) => value)).toEqual([
      "a",
      "2026-02-01",
      "2026-03-01",
    ])
  })
})

describe("a mention", () => {
  it("is what follows an @ before the caret", () => {
    expect(findMention("Who said @ada lo", 16)).toEqual({ query: "ada lo", from: 9 })
    expect(findMention("@", 1)).toEqual({ query: "", from: 0 })
    expect(findMention("Who said @ada and more", 13)).toEqual({ query: "ada", from: 9 })
    for (const [text, caret] of [
      ["mail ada@example.org", 20],
      ["Who said?", 9],
      ["@ada\nWho", 8],
      ["@ada  who", 9],
      ["@ada", 0],
    ] as const)
      expect(findMention(text, caret)).toBeNull()
  })

  it("lists dates by name and as typed", () => {
    const now = Date.UTC(2026, 10, 24)
    expect(listDates("last", now).map(({ value }) => value)).toEqual(["2026-11-17", "2026-10-25"])
    expect(listDates("2026-03", now)).toEqual([
      chip("after", "2026-03-01", "Since 2026-03-01"),
      chip("before", "2026-03-01", "Before 2026-03-01"),
    ])
    expect([listDates("2026-99", now), listDates("ada", now)]).toEqual([[], []])
    expect(listDates("", now)).toHaveLength(3)
  })
})
