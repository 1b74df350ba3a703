import * as z from "zod"
import { modelServer } from "../domain/model-servers.ts"
import { speechModel } from "../domain/speech-models.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const modelList = z.object({
  models: z.array(speechModel).describe("The installed models and those that can be downloaded"),
  offline: z.boolean().describe("True if SERVICE_MODELS_OFFLINE forbids downloads"),
})
export type ModelList = z.infer<typeof modelList>

const modelServerList = z.object({
  servers: z.array(modelServer).describe("Ollama, and the OpenAI-compatible servers that the settings name"),
})
export type ModelServerList = z.infer<typeof modelServerList>

const modelParams = z.object({ name: z.string().min(1).describe("The name of the model") })

const pulling = z.object({ pulling: z.string().describe("The name of the model"), warnings: requestWarnings })
export type Pulling = z.infer<typeof pulling>

export const modelEndpoints = {
  listModels: {
    method: "GET",
    path: "/models",
    scope: "read",
    summary:
      "Lists the models for speech and embeddings that are installed or can be downloaded, with the progress of downloads",
    call: "models",
    response: { name: "ModelList", schema: modelList },
  },
  listModelServers: {
    method: "GET",
    path: "/model-servers",
    scope: "read",
    summary: "Lists the model servers that the settings name, and the models that each of them offers or is fetching",
    call: "modelServers",
    response: { name: "ModelServerList", schema: modelServerList },
  },
  removeModel: {
    method: "DELETE",
    path: "/models/{name}",
    scope: "admin",
    summary: "Deletes a model. Answers 409 while it is being downloaded",
    call: "removeModel",
    params: modelParams,
    status: 204,
    errors: [409],
  },
  pullModel: {
    method: "POST",
    path: "/models/{name}/pull",
    scope: "admin",
    summary:
      "Starts downloading a model for speech or embeddings in the background. Ollama pulls a model of any other name, whose progress is in `/model-servers`",
    call: "pullModel",
    params: modelParams,
    status: 202,
    response: { name: "Pulling", schema: pulling },
    location: "/models",
    errors: [503],
  },
} as const satisfies Endpoints
