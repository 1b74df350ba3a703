import { describe, expect, it } from "vitest"
import { type ClipPart, type ClipVersion, clipEtag, requireUnchanged } from "./clip-version.ts"

const version: ClipVersion = {
  createdAt: 36 ** 3,
  updatedAt: 0,
  title: 1,
  speakers: 0,
  transcript: 2,
  topics: 11,
  tags: 0,
}
const check = (ifMatch: string | readonly string[], parts: readonly ClipPart[], now: ClipVersion = version) => {
  try {
    return requireUnchanged(now, ifMatch as never, parts)
  } catch (error) {
    return error as Error & { fields: object }
  }
}

describe("the ETag of a clip", () => {
  it("names the clip and how often each part has changed", () => {
    expect(clipEtag(version)).toBe('"1000-n1.s0.w2.t11.g0"')
    expect(clipEtag(version, ["topics"])).toBe('"1000-t11"')
  })
})

describe("a change with If-Match", () => {
  it.each<[string, string | readonly string[], readonly ClipPart[]]>([
    ["any version", "*", ["topics"]],
    ["the version of the part", ['"1000-t11"'], ["topics"]],
    ["the version of the clip", [clipEtag(version)], ["topics"]],
    ["a version from before tags were counted", ['"1000-n1.s0.w2.t11"'], ["title", "tags"]],
    ["an older version of another part", ['"1000-n0.s0.w2.t11"'], ["topics"]],
    ["one of several versions", ['"x"', '"1000-t10"', '"1000-t11"'], ["topics"]],
  ])("is made if it names %s", (_what, ifMatch, parts) => expect(check(ifMatch, parts)).toBeUndefined())

  it("is rejected with what has changed", () => {
    const now = { ...version, title: 2, topics: 12, updatedAt: Date.UTC(2026, 0, 2) }
    const error = check([clipEtag(version)], ["title", "speakers", "topics"], now)
    expect(error).toMatchObject({
      code: "precondition_failed",
      message:
        "The title and the topics changed since the version in If-Match; the last change was at 2026-01-02T00:00:00.000Z. Read it again, then repeat your change with the new ETag.",
      fields: {
        etag: '"1000-n2.s0.w2.t12.g0"',
        updated_at: "2026-01-02T00:00:00.000Z",
        changed: ["title", "topics"],
      },
    })
  })
  it.each([
    ["a clip that was deleted and created again", ['"1001-n1.s0.w2.t11"']],
    ["a version without the part", ['"1000-n1"']],
    ["something else", ['"t11"', "t11", ""]],
    ["nothing", []],
    ["a revision that only begins like the current one", ['"1000-t1"']],
  ])("is rejected if it names %s", (_what, ifMatch) =>
    expect(check(ifMatch, ["topics"])).toMatchObject({ code: "precondition_failed" }),
  )
})
