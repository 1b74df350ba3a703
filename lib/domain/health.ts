import * as z from "zod"

export const checkState = z.enum(["ok", "degraded", "down", "absent"])
export const check = z.object({
  state: checkState.describe("`absent`: not installed or not set up"),
  picked: z.string().optional().describe("What is in use"),
  detail: z.string().optional().describe("What is wrong, and what to do"),
})
export type Check = z.infer<typeof check>

export const CHECKS = ["store", "broker", "models", "speech", "worker", "blobs", "telemetry"] as const
export const readiness = z.object({
  status: z.enum(["ok", "degraded", "down"]).describe("The worst state of the essential parts"),
  detail: z.string().describe("A sentence about what is wrong, or that all is well"),
  checks: z
    .object({
      store: check.describe("The database"),
      broker: check.describe("The queue"),
      models: check.describe("What writes topics and answers, and what computes vectors"),
      speech: check.describe("What transcribes recordings"),
      worker: check.describe("The workers: every stage needs one"),
      blobs: check.describe("The storage of uploads"),
      telemetry: check.describe("The export of traces and metrics"),
    })
    .describe("The state of each part"),
})
export type Readiness = z.infer<typeof readiness>
