import * as z from "zod"

export const checkState = z.enum(["ok", "degraded", "down", "absent"])
export const check = z.object({ state: checkState, picked: z.string().optional(), detail: z.string().optional() })
export type Check = z.infer<typeof check>

export const CHECKS = ["store", "broker", "models", "speech", "worker", "blobs", "telemetry"] as const
export const readiness = z.object({
  status: z.enum(["ok", "degraded", "down"]),
  detail: z.string(),
  checks: z.object({
    store: check,
    broker: check,
    models: check,
    speech: check,
    worker: check,
    blobs: check,
    telemetry: check,
  }),
})
export type Readiness = z.infer<typeof readiness>
