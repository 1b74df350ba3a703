import { describe, expect, it } from "vitest"
import type { ClipRow } from "./library-params.ts"
import { groupRows } from "./row-groups.ts"

const clipOf = (id: string, created_at: string) => ({ id, created_at }) as ClipRow
// Two hours east of Greenwich.
const clock = { now: Date.parse("2026-11-24T12:00:00+02:00"), offsetMinutes: -120 }
const clips = [
  clipOf("a", "2026-11-24T00:00:00+02:00"),
  clipOf("b", "2026-11-23T23:59:00+02:00"),
  clipOf("c", "2026-11-20T10:00:00+02:00"),
  clipOf("d", "2026-10-03T10:00:00+02:00"),
  clipOf("e", "2026-10-02T10:00:00+02:00"),
]

describe("the list of recordings", () => {
  it("has a heading for each day, week and month if it is sorted by date", () => {
    const items = groupRows(clips, "-created_at", clock).map((item) => (item.kind === "clip" ? item.key : item.text))
    expect(items).toEqual(["Today", "a", "Yesterday", "b", "This week", "c", "October 2026", "d", "e"])
  })
  it("has none in another order, and counts the recordings", () => {
    const items = groupRows(clips, "title", clock)
    expect(items.map((item) => item.kind === "clip" && item.index)).toEqual([0, 1, 2, 3, 4])
  })
})
