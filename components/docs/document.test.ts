import { describe, expect, it } from "vitest"
import { openApiDocument } from "#lib/api/openapi.ts"
import { byTag, curlOf, limitsOf, meaningOf, type OpenApi } from "./document.ts"

const document = openApiDocument() as OpenApi
const entries = [...byTag(document).values()].flat()

describe("the reference", () => {
  it("has every operation once, under an anchor of its own", () => {
    const all = Object.values(document.paths).flatMap((methods) => Object.keys(methods))
    expect(entries).toHaveLength(all.length)
    expect(new Set(entries.map((e) => e.id)).size).toBe(all.length)
  })
  it("says what each answer means", () => {
    for (const { operation, id } of entries)
      for (const [status, answer] of Object.entries(operation.responses))
        expect(meaningOf(document, answer), `${id} ${status}`).not.toBe("")
  })
  it("gives calls to try", () => {
    const of = (id: string) => curlOf(entries.find((e) => e.id === id)!, "http://127.0.0.1:4890")
    expect(of("health")).toBe("curl http://127.0.0.1:4890/health")
    expect(of("vizSearch")).toBe("curl 'http://127.0.0.1:4890/viz/search?q=…'")
    expect(of("editClip")).toMatch(
      /^curl -X PATCH '.*\{id\}' \\\n {2}-H 'content-type: application\/json' \\\n {2}-d '\{/,
    )
  })
  it("tells limits in words", () => {
    expect(limitsOf({ minimum: 1, maximum: 200, default: 50 })).toBe("1 to 200, 50 by default")
    expect(limitsOf({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, maxLength: 9 })).toBe(
      "at least 0, at most 9 characters",
    )
  })
})
