import { and, eq, inArray } from "drizzle-orm"
import { VectorRows } from "../search/vector-rows.ts"
import { toFloats } from "./blobs.ts"
import { chunks } from "./chunks.ts"
import type { Context } from "./context.ts"
import { all, get } from "./steps.ts"

/**
 * The vectors of one store in memory. Before each use the revision of the documents is compared; after a change by any
 * process only what is new is read.
 */
export const openMemoryVectors = (c: Context) => {
  const models = new Map<string, { rows: VectorRows; revision: number }>()
  return async (embedModel: string): Promise<VectorRows> => {
    const kept = models.get(embedModel) ?? { rows: new VectorRows(), revision: -1 }
    models.set(embedModel, kept)
    await c.read(function* ({ db, t: { documents, documentChunks, documentRevision } }) {
      const revision = (yield* get(db.select().from(documentRevision)))?.revision ?? 0
      if (revision === kept.revision) return
      const ofModel = eq(documents.embedModel, embedModel)
      const there = db
        .select({ id: documentChunks.id })
        .from(documentChunks)
        .innerJoin(documents, eq(documents.id, documentChunks.documentId))
      const ids = (yield* all(there.where(ofModel))).map(({ id }) => id)
      kept.rows.keepOnly(new Set(ids))
      for (const part of chunks(ids.filter((id) => !kept.rows.has(id)))) {
        const fresh = db
          .select({ id: documentChunks.id, kind: documents.kind, vector: documentChunks.vector })
          .from(documentChunks)
          .innerJoin(documents, eq(documents.id, documentChunks.documentId))
        for (const { id, kind, vector } of yield* all(fresh.where(and(ofModel, inArray(documentChunks.id, part)))))
          kept.rows.set(id, kind, toFloats(vector))
      }
      kept.revision = revision
    })
    return kept.rows
  }
}
