import * as z from "zod"
import { stageName } from "./jobs/stages.ts"
import { isoTime } from "./schemas.ts"

/** One stage's queue; times in seconds before now. */
export const queueReport = z.object({
  stage: stageName,
  /** Messages that wait or are in hand, and of these the ones that wait. */
  depth: z.int().min(0),
  waiting: z.int().min(0),
  oldest_s: z.number().optional(),
  consumers: z.int().min(0),
  /** When a worker that takes this stage last began or ended one of its stages. */
  active_s: z.number().optional(),
})

/** What `auto` became here, and why; `null` where nothing has asked for it yet. */
export const engineChoiceMade = z.object({ value: z.string(), reason: z.string(), chosen_at: isoTime })
export type EngineChoiceMade = z.infer<typeof engineChoiceMade>

/** How this installation works: who hears, names and embeds, what waits, who works. */
export const installation = z.object({
  /** Of the program that answers, and of its HTTP interface. */
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
      /** Of its program: while an upgrade goes on, hosts differ by one. `null`: from before workers told it. */
      version: z.string().nullable(),
      stages: z.array(stageName),
      started_at: isoTime,
      active_at: isoTime.nullable(),
    }),
  ),
})
export type Installation = z.infer<typeof installation>
