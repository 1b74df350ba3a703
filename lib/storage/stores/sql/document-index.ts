import type { DocumentIndex } from "../ports/documents.ts"
import type { Context } from "./context.ts"
import * as documents from "./documents.ts"
import { openMemoryVectors } from "./memory-vectors.ts"
import { frequencies } from "./scope.ts"

/** How passages are found by their vectors. */
export type VectorSearch = Pick<DocumentIndex, "searchVectors" | "getVectors">

/** Compares with each vector, in memory: exact, and linear in their number. */
export const searchInMemory = (c: Context): VectorSearch => {
  const vectorsOf = openMemoryVectors(c)
  return {
    searchVectors: async (model, vector, { scope, limit }) => (await vectorsOf(model)).search(vector, scope, limit),
    getVectors: async (model, rows) => {
      const kept = await vectorsOf(model)
      return new Map(rows.flatMap((row) => (kept.has(row) ? [[row, kept.get(row)!]] : [])))
    },
  }
}

/** Documents beside the clips, in the same database. */
export const openDocumentIndex = (kind: string, c: Context, vectors: VectorSearch): DocumentIndex => ({
  kind,
  findBySource: (kind, sources) => documents.known(c, kind, sources),
  listFiles: () => documents.files(c),
  getFile: (id) => documents.file(c, id),
  listUnderPath: (path) => documents.listUnderPath(c, path),
  put: (document) => documents.put(c, document),
  remove: (ids) => documents.remove(c, ids),
  listClipsWithoutChunks: (model) => documents.clipsWithoutChunks(c, model),
  searchText: (terms, p) => c.read((tx) => tx.dialect.searchText(tx, terms, p)),
  ...vectors,
  countChunksWithWords: (words, scope) => frequencies(c, words, scope),
  getChunks: (rows) => documents.readChunks(c, rows),
  getCounts: () => documents.counts(c),
})
