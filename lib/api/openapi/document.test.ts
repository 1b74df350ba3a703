import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../../platform/package-root.ts"
import { clientRoutesSource } from "../routes-source.ts"
import { openApiDocument, openApiText } from "./document.ts"

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

type Schema = {
  readonly properties?: Record<string, { description?: string }>
  readonly additionalProperties?: unknown
}

/** Returns every schema of an object inside a value. */
const objectSchemas = (value: unknown): Schema[] => {
  if (typeof value !== "object" || value === null) return []
  const { example: _, ...rest } = value as Record<string, unknown>
  const inner = Object.values(Array.isArray(value) ? value : rest).flatMap(objectSchemas)
  return "type" in value && value.type === "object" ? [value as Schema, ...inner] : inner
}

type Document = {
  readonly paths: Record<string, Record<string, { parameters: { name: string; description?: string }[] }>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

describe("the OpenAPI document", () => {
  const { paths, components } = JSON.parse(openApiText()) as Document

  it("describes every parameter and every field", () => {
    const parameters = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((o) => o.parameters))
    const undescribed = [
      ...parameters.filter(({ description }) => !description).map(({ name }) => name),
      ...objectSchemas([paths, components]).flatMap(({ properties = {} }) =>
        Object.entries(properties).flatMap(([name, field]) => (field.description ? [] : [name])),
      ),
    ]
    expect(undescribed).toEqual([])
  })
  it("lets later versions add fields to objects", () => {
    const closed = objectSchemas([paths, components]).filter((schema) => schema.additionalProperties === false)
    expect(closed).toEqual([])
  })
  it("has the schemas of the specification under their names", () => {
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        ...["AudioJobRequest", "JobSubmitResponse", "JobRecord", "JobResultResponse", "Clip", "WordSpan", "TopicNode"],
        ...["IngestRequest", "IngestResponse", "QueryRequest", "QueryResponse", "FlatTopic"],
        ...["VizData", "TopicPoint", "Edge", "SearchResult", "JobEvent", "QueryEvent", "Problem"],
      ]),
    )
  })
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
