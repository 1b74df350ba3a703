import { searchAnswer, searchQuery } from "../domain/search.ts"
import type { Endpoints } from "./endpoint.ts"

export const searchEndpoints = {
  search: {
    method: "GET",
    path: "/search",
    scope: "read",
    summary: "Searches titles, topics and transcripts. Each hit in a transcript has the time at which it was said",
    call: "search",
    needs: ["rag"],
    query: searchQuery,
    response: { name: "SearchAnswer", schema: searchAnswer },
  },
} as const satisfies Endpoints
