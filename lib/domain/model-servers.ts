import * as z from "zod"

export const modelUse = z.enum(["language", "embedding"])
export type ModelUse = z.infer<typeof modelUse>

/** A model that a model server offers or can fetch. */
export const serverModel = z.object({
  name: z.string().describe("The name by which the server knows the model"),
  use: modelUse.describe("What the model is for, by its name and family if the server does not tell"),
  bytes: z.int().min(0).nullable().describe("The size on the server. Null if the server does not tell"),
  context: z.int().min(1).nullable().describe("The context size in tokens. Null if the server does not tell"),
  state: z
    .enum(["present", "absent"])
    .describe(
      "`absent` for a model that the settings name or that is being fetched, and that the server does not have",
    ),
  in_use: z.boolean().describe("True if the service uses the model by default"),
  pulling: z.boolean().describe("True while the server fetches it"),
  fetched_bytes: z.int().min(0).describe("The bytes that a running or failed pull has received"),
  problem: z.string().optional().describe("Why the last pull failed"),
})
export type ServerModel = z.infer<typeof serverModel>

/** A model server that the settings name, and its models. */
export const modelServer = z.object({
  provider: z.enum(["ollama", "openai"]).describe("The provider that uses the server"),
  uses: z.array(modelUse).describe("What the settings use the server for"),
  url: z.string().describe("The address, without credentials"),
  state: z.enum(["ok", "down"]).describe("`down` if the server does not answer as it should"),
  problem: z.string().optional().describe("Why the models cannot be listed"),
  can_pull: z.boolean().describe("True if the server can fetch models, which `POST /models/{name}/pull` starts"),
  models: z.array(serverModel).describe("The models, by name"),
})
export type ModelServer = z.infer<typeof modelServer>
