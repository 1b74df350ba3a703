import { expect, it } from "vitest"
import { parseRetryAfterMs } from "./retry-after.ts"

it("parses seconds and dates, returns 0 for past dates and null for anything else", () => {
  const now = Date.UTC(2026, 0, 1)
  const read = (value: string | undefined) => parseRetryAfterMs(value, now)
  expect(["120", " 7 ", "0", "0.5"].map(read)).toEqual([120_000, 7000, 0, 500])
  expect(read("Thu, 01 Jan 2026 00:02:00 GMT")).toBe(120_000)
  expect(read("Thu, 01 Jan 2015 00:02:00 GMT")).toBe(0)
  for (const none of [undefined, "", " ", "soon", "-5", "0x10", "9".repeat(400)]) expect(read(none)).toBeNull()
})
