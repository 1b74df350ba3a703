import { describe, expect, it } from "vitest"
import type { SearchAnswer } from "#lib/domain/search.ts"
import type { ClipRow } from "./library-params.ts"
import { groupHits } from "./search-groups.ts"

const words = (clip_id: string, text: string, start_s: number) => ({
  clip_id,
  clip_title: `Title of ${clip_id}`,
  text,
  marks: [],
  start_s,
  speaker: "0",
})
const found: SearchAnswer = {
  titles: [{ clip_id: "b", clip_title: "Bees", text: "Bees", marks: [[0, 4]] }],
  topics: [
    { clip_id: "a", clip_title: "Title of a", text: "Honey", marks: [], title: "Honey", number: "1.1", start_s: 50 },
  ],
  words: [words("a", "the bees", 10), words("c", "a bee", 5), words("a", "the bees", 10.4)],
  notes: [
    { id: "n", clip_id: "c", clip_title: "Title of c", start_s: null, color: null, text: "A note on bees", marks: [] },
    { id: "l", clip_id: null, clip_title: null, start_s: null, color: null, text: "bees", marks: [] },
  ],
}
const rowOf = (id: string) => ({ id, title: `Title of ${id}` }) as ClipRow
const listed = [rowOf("c"), rowOf("a")]
const options = { isFiltered: false, isSorted: false }

describe("the results of a search", () => {
  it("are grouped by recording, the best first, with hits in the order of time and each once", () => {
    const groups = groupHits(found, listed, options)
    expect(groups.map(({ id, title }) => `${id} ${title}`)).toEqual(["b Bees", "a Title of a", "c Title of c"])
    expect(groups[1]!.hits.map(({ kind, start_s }) => [kind, start_s])).toEqual([
      ["words", 10],
      ["topic", 50],
    ])
    expect(groups[2]!.hits.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["note A note on bees", "words a bee"])
    expect([groups[0]!.titleMarks, groups[0]!.clip, groups[1]!.clip]).toEqual([[[0, 4]], undefined, listed[1]])
  })
  it("are only listed recordings if filters apply, and follow the order of the list", () => {
    expect(groupHits(found, listed, { isFiltered: true, isSorted: true }).map(({ id }) => id)).toEqual(["c", "a"])
    expect(groupHits(found, listed, { isFiltered: false, isSorted: true }).map(({ id }) => id)).toEqual(["c", "a", "b"])
  })
})
