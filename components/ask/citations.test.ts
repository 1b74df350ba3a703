import { describe, expect, it } from "vitest"
import type { Chunk } from "#lib/domain/documents.ts"
import { describeLocation, getSourceHref, getSourceName, isFromRecording, splitAtCitations } from "./citations.ts"

const chunk = (metadata: Chunk["metadata"]): Chunk => ({ id: "d:2", doc_id: "d", text: "", metadata })

describe("citations", () => {
  it("splits an answer at citations of existing sources only", () => {
    expect(splitAtCitations("Bees dance. [1] They eat [2, 1], too [9].", 2)).toEqual([
      { text: "Bees dance. " },
      { source: 1 },
      { text: " They eat " },
      { source: 2 },
      { source: 1 },
      { text: ", too [9]." },
    ])
    expect(splitAtCitations("", 3)).toEqual([])
    const citations = [{ source: 2, start_s: 8 }, { source: 1 }]
    expect(splitAtCitations("[2] and [1]", 2, citations)).toEqual([
      { source: 2, start_s: 8 },
      { text: " and " },
      { source: 1 },
    ])
  })
  it("links to the time in a recording or the part of a document", () => {
    const spoken = chunk({ source: "8f2c", title: "Talk", start_s: 83.26 })
    const page = chunk({ source: "/notes/bees.pdf", page: 3, heading: "Dances" })
    const subtitles = chunk({ source: "/notes/talk.srt", start_s: 5 })
    expect([spoken, page, subtitles].map(isFromRecording)).toEqual([true, false, false])
    expect(getSourceHref({ chunk: spoken, score: 1 })).toBe("/library/8f2c?t=83.26")
    expect(getSourceHref({ chunk: page, score: 1 })).toBe("/documents/d#passage-2")
    expect([getSourceHref({ chunk: spoken, score: 1 }, 96), describeLocation(spoken, 96)]).toEqual([
      "/library/8f2c?t=96",
      "1:36",
    ])
    expect([spoken, page].map((c) => describeLocation(c))).toEqual(["1:23", "page 3 · Dances"])
    expect([spoken, page].map(getSourceName)).toEqual(["Talk", "bees.pdf"])
  })
})
