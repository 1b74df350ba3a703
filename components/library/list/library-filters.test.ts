import { describe, expect, it } from "vitest"
import type { ClipEntry } from "#lib/domain/clips.ts"
import { DEFAULT_FILTERS, filterAndSort, getSourceError, parseSources } from "./library-filters.ts"

const clip = (title: string, duration_s: number, voices: number, day: number): ClipEntry => ({
  id: title,
  title,
  source_url: null,
  file_path: null,
  channel: null,
  published_at: null,
  diarized: null,
  estimated_times: null,
  transcript_notes: [],
  created_at: new Date(Date.UTC(2026, 0, day)).toISOString(),
  duration_s,
  language: null,
  topics: [],
  speakers: {},
  voices,
  speech_engine: null,
  whisper_model: null,
  provider: null,
  llm_model: null,
  embed_model: null,
})
const shelf = [clip("Part 10", 30, 1, 3), clip("part 9", 4000, 3, 1), clip("Other", 900, 2, 2)]
const titles = (wishes: Partial<typeof DEFAULT_FILTERS>) =>
  filterAndSort(shelf, { ...DEFAULT_FILTERS, ...wishes }).map((c) => c.title)

describe("the shelf", () => {
  it("is sorted as one wishes, numbers in titles as numbers", () => {
    expect(titles({})).toEqual(["Part 10", "Other", "part 9"])
    expect(titles({ sort: "oldest" })).toEqual(["part 9", "Other", "Part 10"])
    expect(titles({ sort: "title" })).toEqual(["Other", "part 9", "Part 10"])
    expect(titles({ sort: "longest" })).toEqual(["part 9", "Other", "Part 10"])
  })
  it("leaves out what is of another length or number of voices", () => {
    expect([titles({ length: "short" }), titles({ length: "medium" }), titles({ length: "long" })]).toEqual([
      ["Part 10"],
      ["Other"],
      ["part 9"],
    ])
    expect([titles({ speakers: "one" }), titles({ speakers: "several", length: "medium" })]).toEqual([
      ["Part 10"],
      ["Other"],
    ])
  })
  it("takes pasted lines, each once", () => {
    expect(parseSources(" https://a.example/x.mp3\r\n\n~/b.wav \nhttps://a.example/x.mp3")).toEqual([
      "https://a.example/x.mp3",
      "~/b.wav",
    ])
  })
})

describe("what is typed as a source", () => {
  it.each(["https://example.com/a.mp3", "FTP://host/x", "youtu.be/dQw4w9WgXcQ", "/srv/talk.mp3", "~/talk.mp3"])(
    "may be %s",
    (line) => expect(getSourceError(line)).toBeNull(),
  )
  it.each(["hello world", "talk.mp3", "note: hello"])("is refused: %s", (line) =>
    expect(getSourceError(line)).toContain("neither a web address"),
  )
})
