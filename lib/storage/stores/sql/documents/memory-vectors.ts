import { and, eq, inArray } from "drizzle-orm"
import type { DocumentIndex } from "../../ports/documents.ts"
import { VectorRows } from "../../search/vector-rows.ts"
import type { SqlDatabase } from "../database.ts"
import { decodeVector } from "../map/vectors.ts"
import { all, get, inBatches, queryRows } from "../statements.ts"
import { selectChunkIds } from "./scope.ts"

/** The part of a document index that finds chunks by their vectors. */
export type VectorSearch = Pick<DocumentIndex, "searchVectors" | "getVectors">

/**
 * Creates a function that returns all vectors of an embedding model in memory. Each call compares the revision of the
 * documents and, after a change by any process, reads the new vectors only.
 */
const createVectorCache = (database: SqlDatabase) => {
  const models = new Map<string, { rows: VectorRows; revision: number }>()
  return async (embedModel: string): Promise<VectorRows> => {
    const cached = models.get(embedModel) ?? { rows: new VectorRows(), revision: -1 }
    models.set(embedModel, cached)
    await database.read(function* ({ db, tables: { documents, documentChunks, documentRevision } }) {
      const revision = (yield* get(db.select().from(documentRevision)))?.revision ?? 0
      if (revision === cached.revision) return
      const isOfModel = eq(documents.embedModel, embedModel)
      const current = db
        .select({ id: documentChunks.id })
        .from(documentChunks)
        .innerJoin(documents, eq(documents.id, documentChunks.documentId))
      const ids = (yield* all(current.where(isOfModel))).map(({ id }) => id)
      cached.rows.keepOnly(new Set(ids))
      for (const batch of inBatches(ids.filter((id) => !cached.rows.has(id)))) {
        const added = db
          .select({ id: documentChunks.id, kind: documents.kind, vector: documentChunks.vector })
          .from(documentChunks)
          .innerJoin(documents, eq(documents.id, documentChunks.documentId))
        for (const { id, kind, vector } of yield* all(added.where(and(isOfModel, inArray(documentChunks.id, batch)))))
          cached.rows.set(id, kind, decodeVector(vector))
      }
      cached.revision = revision
    })
    return cached.rows
  }
}

/** Creates an exact vector search that compares the query with every vector in memory. */
export const createMemoryVectorSearch = (database: SqlDatabase): VectorSearch => {
  const loadVectors = createVectorCache(database)
  return {
    searchVectors: async (model, vector, { limit, ...scope }) => {
      const vectors = await loadVectors(model)
      if (!scope.filter) return vectors.search(vector, scope, limit)
      const rows = await database.read((tx) => queryRows<{ id: number }>(selectChunkIds(tx, scope)))
      const allowed = new Set(rows.map(({ id }) => id))
      return vectors.search(vector, scope, limit, (row) => allowed.has(row))
    },
    getVectors: async (model, rows) => {
      const vectors = await loadVectors(model)
      return new Map(rows.flatMap((row) => (vectors.has(row) ? [[row, vectors.get(row)!]] : [])))
    },
  }
}
