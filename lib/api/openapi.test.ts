import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../platform/package-root.ts"
import { openApiDocument, openApiText } from "./openapi.ts"
import { clientRoutesSource } from "./routes-source.ts"

const read = (file: string): string => readFileSync(join(packageRoot(), file), "utf8")

const references = (value: unknown): string[] => {
  if (typeof value !== "object" || value === null) return []
  const own = "$ref" in value && typeof value.$ref === "string" ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(references)]
}

describe("files written by npm run openapi", () => {
  it("has an up-to-date docs/openapi.json", () => {
    expect(openApiText()).toBe(read("docs/openapi.json"))
  })
  it("has up-to-date routes of the client", () => {
    expect(clientRoutesSource()).toBe(read("lib/api/client/routes.ts"))
  })
})

describe("the OpenAPI document", () => {
  it("defines everything it refers to", () => {
    const document = openApiDocument()
    for (const reference of references(document)) {
      const [root, components, kind, name] = reference.split("/")
      expect([root, components]).toEqual(["#", "components"])
      expect((document.components as Record<string, Record<string, unknown>>)[kind!]![name!], reference).toBeDefined()
    }
  })
  it("states the defaults and limits of a job request", () => {
    const { AudioJobRequest } = (
      openApiDocument().components as { schemas: Record<string, { properties: object; required: string[] }> }
    ).schemas
    expect(AudioJobRequest).toMatchObject({
      required: ["source"],
      properties: {
        max_concurrency: { default: 8, minimum: 1, maximum: 64 },
        num_ctx_l1: { default: 8192, minimum: 2048, maximum: 131072 },
        boundary_block_seconds: { default: 30, minimum: 5, maximum: 600 },
        min_subdivide_duration_s: { default: 120, minimum: 0 },
      },
    })
  })
})
