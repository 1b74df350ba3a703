import type { DocumentIndex } from "../search/types.ts"
import type { Context } from "./context.ts"
import { frequencies, openVectors, searchText } from "./document-search.ts"
import * as documents from "./documents.ts"

/** Documents on SQLite: full text by FTS5, vectors compared one by one in memory. */
export const openDocumentIndex = (c: Context): DocumentIndex => {
  const vectorsOf = openVectors(c)
  return {
    kind: "sqlite",
    known: async (kind, sources) => documents.known(c, kind, sources),
    files: async () => documents.files(c),
    file: async (id) => documents.file(c, id),
    below: async (path) => documents.below(c, path),
    put: (document) => c.handle.turn(() => documents.put(c, document)),
    remove: (ids) => c.handle.turn(() => documents.remove(c, ids)),
    clipsToFill: async (model) => documents.clipsToFill(c, model),
    searchText: async (terms, p) => searchText(c, terms, p),
    searchVectors: async (model, vector, { scope, limit }) => vectorsOf(model).search(vector, scope, limit),
    frequencies: async (words, scope) => frequencies(c, words, scope),
    chunks: async (rows) => documents.readChunks(c, rows),
    vectors: async (model, rows) => {
      const kept = vectorsOf(model)
      return new Map(rows.flatMap((row) => (kept.has(row) ? [[row, kept.get(row)!]] : [])))
    },
    counts: async () => documents.counts(c),
  }
}
