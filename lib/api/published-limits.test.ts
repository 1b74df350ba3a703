import { describe, expect, it } from "vitest"
import { openApiDocument } from "./openapi/document.ts"
import { ENDPOINTS } from "./table.ts"

describe("limits of requests", () => {
  it("let IDs of any length through, so that one that does not exist is not found", () => {
    const id = "x".repeat(5000)
    expect(ENDPOINTS.getJob.params.safeParse({ job_id: id }).success).toBe(true)
    expect(ENDPOINTS.getClip.params.safeParse({ id }).success).toBe(true)
    expect(ENDPOINTS.getDocument.params.safeParse({ id }).success).toBe(true)
  })
  it.each([
    ["0", true],
    ["2", true],
    ["2.01", false],
    ["-0.1", false],
  ])("accept the cosine distance %s as a threshold: %s", (distance_threshold, isValid) =>
    expect(ENDPOINTS.vizData.query.safeParse({ distance_threshold }).success).toBe(isValid),
  )
})

describe("the OpenAPI document", () => {
  const { schemas } = JSON.parse(JSON.stringify(openApiDocument())).components
  it.each(["TopicPoint", "FlatTopic"])("says which level of the tree each level of %s is", (name) =>
    expect(schemas[name].properties.level.description).toMatch(/1 .*L0.*2 .*L1.*3 .*L2/),
  )
  it("says that the similarity of a search result is the cosine, and that the score orders results", () => {
    const { similarity, score } = schemas.SearchResult.properties
    expect([similarity.description, score.description]).toEqual([
      expect.stringContaining("cosine"),
      expect.stringContaining("From 0 to 1"),
    ])
  })
})
