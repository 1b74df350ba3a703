import { describe, expect, it } from "vitest"
import type { ClipEntry } from "#lib/domain/clips.ts"
import { DEFAULT_FILTERS, filterAndSort } from "./library-filters.ts"

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
  tags: [],
  favorite: false,
  speech_engine: null,
  whisper_model: null,
  provider: null,
  llm_model: null,
  embed_model: null,
})
const clips = [clip("Part 10", 30, 1, 3), clip("part 9", 4000, 3, 1), clip("Other", 900, 2, 2)]
const titles = (filters: Partial<typeof DEFAULT_FILTERS>) =>
  filterAndSort(clips, { ...DEFAULT_FILTERS, ...filters }).map((c) => c.title)

describe("the library", () => {
  it("sorts recordings and compares numbers in titles numerically", () => {
    expect(titles({})).toEqual(["Part 10", "Other", "part 9"])
    expect(titles({ sort: "oldest" })).toEqual(["part 9", "Other", "Part 10"])
    expect(titles({ sort: "title" })).toEqual(["Other", "part 9", "Part 10"])
    expect(titles({ sort: "longest" })).toEqual(["part 9", "Other", "Part 10"])
  })
  it("filters recordings by duration and number of speakers", () => {
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
})
