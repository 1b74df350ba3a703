import { describe, expect, it } from "vitest"
import { clipsQuery } from "#lib/domain/clips.ts"
import { countFilters, type LibraryParams, parseLibraryParams, toClipsQuery, toSearch } from "./library-params.ts"

const parse = (text: string) => parseLibraryParams(new URLSearchParams(text))

describe("the address of the library", () => {
  it("keeps search, filters and order", () => {
    const params: LibraryParams = {
      q: "comet & bees",
      subject: "Bees · Dance",
      person: "Ada",
      tag: "interviews,2026",
      from: "2026-11-01",
      to: "2026-11-30",
      length: "long",
      language: "de",
      state: "failed",
      favorite: "true",
      sort: "title",
    }
    expect(parse(toSearch(params))).toEqual(params)
    expect(countFilters(params)).toBe(9)
  })
  it("leaves out what is unknown, invalid, empty or the default", () => {
    expect(parse("job=1&length=huge&state=x&favorite=false&sort=-created_at&from=2026-13-45&to=x&tag=%20&q=")).toEqual(
      {},
    )
    expect(toSearch({ sort: "-created_at", q: " " })).toBe("")
  })
})

describe("the query of the list", () => {
  it("has ranges for length and dates, both days included", () => {
    const query = toClipsQuery(parse("person=Ada&from=2026-11-01&to=2026-11-30&length=medium&favorite=true&q=bees"))
    expect(query).toEqual({
      speaker: "Ada",
      created_after: "2026-11-01",
      created_before: "2026-12-01",
      min_duration_s: 600,
      max_duration_s: 3600,
      favorite: "true",
      sort: "-created_at",
      limit: 60,
    })
    expect(clipsQuery.safeParse(query).success).toBe(true)
  })
})
