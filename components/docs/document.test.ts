import { describe, expect, it } from "vitest"
import { openApiDocument } from "#lib/api/openapi/document.ts"
import { describeLimits, describeResponse, groupByTag, type OpenApi } from "./document.ts"

const document = openApiDocument() as OpenApi
const entries = [...groupByTag(document).values()].flat()

describe("the API reference", () => {
  it("contains every operation once, with a unique anchor", () => {
    const all = Object.values(document.paths).flatMap((methods) => Object.keys(methods))
    expect(entries).toHaveLength(all.length)
    expect(new Set(entries.map((e) => e.id)).size).toBe(all.length)
  })
  it("describes every response", () => {
    for (const { operation, id } of entries)
      for (const [status, response] of Object.entries(operation.responses))
        expect(describeResponse(document, response), `${id} ${status}`).not.toBe("")
  })
  it("describes limits and defaults", () => {
    expect(describeLimits({ minimum: 1, maximum: 200, default: 50 })).toBe("1 to 200, default 50")
    expect(describeLimits({ minimum: 0, maxLength: 9 })).toBe("at least 0, at most 9 characters")
  })
})
