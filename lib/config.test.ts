import { expect, it } from "vitest"
import { loadConfig } from "./config.ts"

it("takes a wish for less silence than the lease allows, and refuses one for more", () => {
  expect(loadConfig({ SERVICE_LEASE_S: "30" }).pipeline.heartbeatMs).toBe(10_000)
  expect(loadConfig({ SERVICE_LEASE_S: "30", SERVICE_HEARTBEAT_S: "15" }).pipeline.heartbeatMs).toBe(15_000)
  expect(() => loadConfig({ SERVICE_HEARTBEAT_S: "60" })).toThrow(
    'SERVICE_HEARTBEAT_S="60" must be at most half of SERVICE_LEASE_S, which is 30',
  )
})

it("lets a passage repeat at most half of the one before it", () => {
  expect(loadConfig({}).documents.chunkOverlap).toBe(200)
  expect(loadConfig({ SERVICE_CHUNK_SIZE: "150" }).documents.chunkOverlap).toBe(75)
  expect(() => loadConfig({ SERVICE_CHUNK_OVERLAP: "900" })).toThrow(
    'SERVICE_CHUNK_OVERLAP="900" must be at most half of SERVICE_CHUNK_SIZE, which is 1000',
  )
})
