import { describe, expect, it } from "vitest"
import { jobOptions } from "../domain/jobs/jobs.ts"
import type { Endpoints } from "./endpoint.ts"
import { ENDPOINTS } from "./table.ts"

const endpoints: Endpoints = ENDPOINTS

// Callers rely on these values. docs/openapi.json has them too, but is written from the schemas.
describe("the defaults of the HTTP API", () => {
  it.each([
    ["vizSearch", { q: "x" }, { top_k: 10 }],
    ["search", { q: "x" }, { limit: 12 }],
    ["listJobs", {}, { limit: 50 }],
    ["listClips", {}, { limit: 50 }],
    ["listFeed", { url: "https://a.example/feed" }, { limit: 100 }],
    ["previewTopics", {}, { topic_detail: "normal", min_subdivide_duration_s: 120 }],
    ["diffTopicRuns", { a: "1" }, { b: "shown", tolerance_s: 15 }],
  ])("of the query of %s are the documented ones", (id, given, defaults) => {
    expect(endpoints[id]?.query?.parse(given)).toEqual({ ...given, ...defaults })
  })
  it.each([
    ["query", { question: "x" }, { scope: "all" }],
    ["ingest", { paths: ["/a"] }, { prune: false }],
  ])("of the body of %s are the documented ones", (id, given, defaults) => {
    expect(endpoints[id]?.body?.schema.parse(given)).toEqual({ ...given, ...defaults })
  })
  it("of the options of a job are the documented ones", () => {
    expect(jobOptions.parse({})).toEqual({
      language: "en",
      provider: "auto",
      speech_engine: "auto",
      max_concurrency: 8,
      num_ctx_l1: 8192,
      num_ctx_fanout: 8192,
      topic_detail: "normal",
      min_subdivide_duration_s: 120,
      boundary_block_seconds: 30,
      reasoning: false,
      force_retranscribe: false,
    })
  })
})
