import * as z from "zod"
import { storedVocabularyEntry, vocabularyEntry, vocabularyPatch, vocabularySuggestion } from "../domain/vocabulary.ts"
import type { Endpoints } from "./endpoint.ts"

const vocabularyList = z.object({ entries: z.array(storedVocabularyEntry).describe("The entries by term") })
export type VocabularyList = z.infer<typeof vocabularyList>

const vocabularySuggestions = z.object({
  suggestions: z.array(vocabularySuggestion).describe("The most frequent corrections first, 50 at most"),
})
export type VocabularySuggestions = z.infer<typeof vocabularySuggestions>

const entryParams = z.object({ id: z.string().min(1).describe("The ID of the entry") })

export const vocabularyEndpoints = {
  listVocabulary: {
    method: "GET",
    path: "/vocabulary",
    scope: "read",
    summary: "Lists the names and terms of the library, which every later transcription uses",
    call: "vocabulary",
    needs: ["rag"],
    response: { name: "VocabularyList", schema: vocabularyList },
  },
  addVocabularyEntry: {
    method: "POST",
    path: "/vocabulary",
    scope: "write",
    summary: "Adds a name or term to the vocabulary of the library, or adds phrases to the entry with the same term",
    call: "addVocabulary",
    needs: ["rag"],
    body: {
      name: "VocabularyEntry",
      schema: vocabularyEntry,
      example: { term: "Grace Hopper", sounds_like: ["grace hop her"] },
    },
    response: { name: "StoredVocabularyEntry", schema: storedVocabularyEntry },
    errors: [409, 507],
  },
  updateVocabularyEntry: {
    method: "PATCH",
    path: "/vocabulary/{id}",
    scope: "write",
    summary: "Changes an entry of the vocabulary",
    call: "updateVocabulary",
    needs: ["rag"],
    params: entryParams,
    body: {
      name: "VocabularyPatch",
      schema: vocabularyPatch,
      example: { sounds_like: ["grace hop her", "grays hopper"] },
    },
    response: { name: "StoredVocabularyEntry", schema: storedVocabularyEntry },
    errors: [409, 507],
  },
  deleteVocabularyEntry: {
    method: "DELETE",
    path: "/vocabulary/{id}",
    scope: "write",
    summary: "Deletes an entry of the vocabulary. Transcripts stay as they are",
    call: "deleteVocabulary",
    needs: ["rag"],
    params: entryParams,
    status: 204,
  },
  suggestVocabulary: {
    method: "GET",
    path: "/vocabulary/suggestions",
    scope: "read",
    summary: "Lists corrections of transcripts that an entry of the vocabulary would make by itself",
    call: "vocabularySuggestions",
    needs: ["rag"],
    response: { name: "VocabularySuggestions", schema: vocabularySuggestions },
  },
} as const satisfies Endpoints
