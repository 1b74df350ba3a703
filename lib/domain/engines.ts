import * as z from "zod"
import { engineChoiceMade, engineKind } from "./installation.ts"

/** Hosted servers offer hundreds of models. */
export const MAX_LISTED_MODELS = 1000

/** An engine that can be chosen for a kind. */
export const engineOption = z.object({
  value: z.string().describe("What a choice names: a provider, a speech engine or an embedding model"),
  name: z.string().describe("The name that people know it by"),
  state: z
    .enum(["ready", "download", "unavailable"])
    .describe("`download`: it downloads a model on first use. `unavailable`: it cannot run here, as `detail` says"),
  detail: z.string().describe("What runs where, or what is missing and what to do"),
  quality: z.string().describe("What to expect of the results"),
  speed: z.string().describe("How long it takes"),
  bytes: z.int().min(0).nullable().describe("The size of its models. Null if it is unknown or they are on a server"),
  models: z
    .array(z.string())
    .max(MAX_LISTED_MODELS)
    .describe(
      "The models that its server offers for this kind. A choice of `VALUE/MODEL`, such as `ollama/qwen3:8b`, names one. Empty for an engine without a server",
    ),
  sends_to: z
    .string()
    .nullable()
    .describe("The other machine that gets text or audio, or null if nothing leaves this one"),
})
export type EngineOption = z.infer<typeof engineOption>

/** The engines of a kind, and the one that is chosen. */
export const engineGroup = z.object({
  kind: engineKind.describe("`provider` writes topics and answers, `embedder` compares texts, `speech` transcribes"),
  chosen: engineChoiceMade.nullable().describe("The engine in use. Null until something needs one"),
  setting: z
    .string()
    .nullable()
    .describe("The setting that determines the engine, so that it cannot be chosen here. Null without one"),
  options: z.array(engineOption).describe("The engines, best first"),
})
export type EngineGroup = z.infer<typeof engineGroup>

/** What a choice does, or would do. */
export const engineChange = z.object({
  kind: engineKind.describe("The kind of engine"),
  value: z.string().describe("The engine"),
  detail: z.string().describe("A sentence about what happens"),
  texts: z.int().min(0).describe("The number of texts that have to be embedded anew"),
  is_pending: z.boolean().describe("True if the choice takes effect when a worker has embedded these texts"),
})
export type EngineChange = z.infer<typeof engineChange>

/** What happened when an engine was called. */
export const engineTest = z.object({
  ok: z.boolean().describe("True if the engine gave a usable result"),
  detail: z.string().describe("A sentence about the result, or about what is wrong and what to do"),
  took_ms: z.int().min(0).describe("How long the call took, with loading a model, in milliseconds"),
})
export type EngineTest = z.infer<typeof engineTest>
