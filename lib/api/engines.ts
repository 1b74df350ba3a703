import * as z from "zod"
import { engineChange, engineGroup, engineTest } from "../domain/engines.ts"
import { engineKind } from "../domain/installation.ts"
import type { Endpoints } from "./endpoint.ts"

const engineList = z.object({ engines: z.array(engineGroup).describe("The three kinds of engines") })
export type EngineList = z.infer<typeof engineList>

const engineParams = z.object({ kind: engineKind.describe("The kind of engine") })
const value = z.string().min(1).max(300)

const engineChoice = z.object({
  value: value.describe(
    "The engine, as `GET /engines` lists it, with a model of its server after a slash if it is not that of the settings, or `auto` to choose again on the next use",
  ),
  dry_run: z.boolean().default(false).describe("True to change nothing and only tell what the choice would do"),
})
export type EngineChoice = z.input<typeof engineChoice>

const engineTestRequest = z.object({
  value: value.describe(
    "The engine, as `GET /engines` lists it, with a model of its server after a slash if it is not that of the settings",
  ),
})

export const engineEndpoints = {
  listEngines: {
    method: "GET",
    path: "/engines",
    scope: "read",
    summary: "Lists the engines for topics, embeddings and speech, whether each can run here, and which one is chosen",
    call: "engines",
    needs: ["rag"],
    response: { name: "EngineList", schema: engineList },
  },
  chooseEngine: {
    method: "PATCH",
    path: "/engines/{kind}",
    scope: "admin",
    summary:
      "Chooses an engine. Another embedding model takes effect when a worker has embedded all texts with it: `embedder_change` of `/installation` tells how far that is",
    call: "chooseEngine",
    needs: ["rag"],
    params: engineParams,
    body: { name: "EngineChoice", schema: engineChoice, example: { value: "builtin", dry_run: true } },
    response: { name: "EngineChange", schema: engineChange },
    errors: [409, 503],
  },
  testEngine: {
    method: "POST",
    path: "/engines/{kind}/test",
    scope: "admin",
    summary: "Calls an engine with a short sample and tells what happened. Chooses and downloads nothing",
    withoutKey: true,
    call: "testEngine",
    needs: ["rag"],
    params: engineParams,
    body: { name: "EngineTestRequest", schema: engineTestRequest, example: { value: "builtin" } },
    response: { name: "EngineTest", schema: engineTest },
    errors: [503],
  },
} as const satisfies Endpoints
