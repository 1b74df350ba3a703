import { feed, feedQuery } from "../../domain/feeds.ts"
import { modelList, modelParams, pulling } from "../../domain/speech-models.ts"
import type { Operations } from "./operations.ts"

/** Where recordings come from, and what hears them. */
export const SOURCE_OPERATIONS: Operations = {
  "/feeds": {
    get: {
      id: "listFeed",
      summary: "The episodes of a podcast by the address of its RSS or Atom feed; a job takes an episode's `url`",
      tag: "jobs",
      query: feedQuery,
      response: { name: "Feed", schema: feed },
      errors: [404, 413, 415, 422, 503],
    },
  },
  "/models": {
    get: {
      id: "listModels",
      summary: "Models for hearing: what there is, what can be fetched, how far a fetch is",
      tag: "service",
      response: { name: "ModelList", schema: modelList },
      errors: [],
    },
  },
  "/models/{name}": {
    delete: {
      id: "removeModel",
      summary: "Takes a model off this machine; 409 while it is being fetched",
      tag: "service",
      params: modelParams,
      status: 204,
      errors: [404, 409],
    },
  },
  "/models/{name}/pull": {
    post: {
      id: "pullModel",
      summary: "Fetches a model in the background",
      tag: "service",
      params: modelParams,
      status: 202,
      response: { name: "Pulling", schema: pulling },
      errors: [404, 503],
    },
  },
}
