import * as z from "zod"
import { stageName } from "./jobs/stages.ts"
import { isoTime } from "./schemas.ts"

/** The queue of one stage. Ages are in seconds. */
export const queueReport = z.object({
  stage: stageName,
  /** `depth` counts waiting and in-flight messages, `waiting` only those that wait. */
  depth: z.int().min(0),
  waiting: z.int().min(0),
  oldest_s: z.number().optional(),
  consumers: z.int().min(0),
  /** The time since a worker of this stage last started or finished a stage. */
  active_s: z.number().optional(),
})
export type QueueReport = z.infer<typeof queueReport>

/** A setting whose value `auto` is resolved once per installation. */
export type ChoiceKind = "provider" | "embedder" | "speech"

/** The engine that `auto` resolved to, and why. */
export type Choice = {
  readonly kind: ChoiceKind
  readonly value: string
  readonly reason: string
  /** Unix time in milliseconds. */
  readonly chosen_at: number
}

/** A choice as the API reports it. */
export const engineChoiceMade = z.object({ value: z.string(), reason: z.string(), chosen_at: isoTime })
export type EngineChoiceMade = z.infer<typeof engineChoiceMade>

/** The engines, queues and workers of an installation. A choice is null until something needs it. */
export const installation = z.object({
  /** The version of the responding process, and of its HTTP API. */
  version: z.string(),
  api_version: z.string(),
  choices: z.object({
    provider: engineChoiceMade.nullable(),
    embedder: engineChoiceMade.nullable(),
    speech: engineChoiceMade.nullable(),
  }),
  queues: z.array(queueReport),
  workers: z.array(
    z.object({
      id: z.string(),
      host: z.string(),
      /** The worker's version, which may differ by one release during an upgrade. Null for workers too old to report it. */
      version: z.string().nullable(),
      stages: z.array(stageName),
      started_at: isoTime,
      active_at: isoTime.nullable(),
    }),
  ),
  /** The sizes of the tables with their indexes, largest first. Measured hourly, and empty before the first measurement. */
  tables: z.array(z.object({ table: z.string(), bytes: z.int().min(0) })),
})
export type Installation = z.infer<typeof installation>
