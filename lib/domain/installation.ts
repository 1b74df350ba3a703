import * as z from "zod"
import { stageName } from "./jobs/stages.ts"
import { isoTime } from "./schemas.ts"

/** The queue of one stage. Ages are in seconds. */
export const queueReport = z.object({
  stage: stageName.describe("The stage whose queue it is"),
  depth: z.int().min(0).describe("The number of messages, including those in flight"),
  waiting: z.int().min(0).describe("The number of messages that wait"),
  oldest_s: z.number().optional().describe("The age of the oldest waiting message in seconds"),
  consumers: z.int().min(0).describe("The number of workers that read the queue"),
  active_s: z.number().optional().describe("Seconds since a worker of this stage last started or finished a stage"),
})
export type QueueReport = z.infer<typeof queueReport>

/** A setting whose value `auto` is resolved once per installation. */
export const engineKind = z.enum(["provider", "embedder", "speech"])
export type ChoiceKind = z.infer<typeof engineKind>
/** `next_embedder` replaces the embedder once all texts have its vectors. Its reason tells how far that is. */
export type StoredChoiceKind = ChoiceKind | "next_embedder"

/** The engine that `auto` resolved to, and why. */
export type Choice = {
  readonly kind: StoredChoiceKind
  readonly value: string
  readonly reason: string
  /** Unix time in milliseconds. */
  readonly chosen_at: number
}

/** A choice as the API reports it. */
export const engineChoiceMade = z.object({
  value: z.string().describe("The engine"),
  reason: z.string().describe("Why it was chosen"),
  chosen_at: isoTime.describe("When it was chosen"),
})
export type EngineChoiceMade = z.infer<typeof engineChoiceMade>

/** A change of the embedder that is in progress. The current embedder stays in use until it ends. */
export const embedderChange = z.object({
  value: z.string().describe("The embedder that replaces the current one"),
  done: z.int().min(0).describe("The number of texts that are embedded"),
  total: z.int().min(0).describe("The number of texts to embed. 0 if it is not known yet"),
  problem: z.string().optional().describe("Why the last attempt failed. A worker tries again"),
})
export type EmbedderChange = z.infer<typeof embedderChange>

/** Another machine that gets text or audio. */
const receiver = z.object({
  host: z.string().describe("The host, with its port if it is not the default one"),
  engine: engineKind.describe("The kind of engine that uses it"),
  detail: z.string().describe("A sentence about what is sent there, and why"),
})
export type Receiver = z.infer<typeof receiver>

const tableSize = z.object({
  table: z.string().describe("The name of the table"),
  bytes: z.int().min(0).describe("The size with its indexes"),
})

/** The engines, queues and workers of an installation. */
export const installation = z.object({
  version: z.string().describe("The version of the responding process"),
  api_version: z.string().describe("The version of the HTTP API"),
  choices: z
    .object({
      provider: engineChoiceMade.nullable().describe("What writes topics and answers"),
      embedder: engineChoiceMade.nullable().describe("What computes vectors"),
      speech: engineChoiceMade.nullable().describe("What transcribes recordings"),
    })
    .describe("What `auto` resolved to. Null until something needs it"),
  embedder_change: embedderChange.nullable().describe("The change of the embedder that is in progress, or null"),
  receivers: z
    .array(receiver)
    .describe(
      "The other machines to which the chosen engines send text or audio. Empty if nothing leaves this machine",
    ),
  queues: z.array(queueReport).describe("The queue of each stage"),
  workers: z
    .array(
      z.object({
        id: z.string().describe("The ID of the worker"),
        host: z.string().describe("The name of its host"),
        version: z
          .string()
          .nullable()
          .describe(
            "The worker's version, which may differ by one release during an upgrade. Null for workers too old to report it",
          ),
        stages: z.array(stageName).describe("The stages that it runs"),
        started_at: isoTime.describe("When it started"),
        active_at: isoTime.nullable().describe("When it last started or finished a stage"),
      }),
    )
    .describe("The workers that are alive"),
  tables: z
    .array(tableSize)
    .describe(
      "The sizes of the tables with their indexes, largest first. Measured hourly, and empty before the first measurement",
    ),
})
export type Installation = z.infer<typeof installation>
