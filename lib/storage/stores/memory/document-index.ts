import {
  type DocumentIndex,
  type DocumentRef,
  type FileEntry,
  MAX_TERMS,
  type StoredChunk,
} from "../ports/documents.ts"
import { Best, inScope, VectorRows } from "../search/vector-rows.ts"
import { TextRows } from "./text-rows.ts"

type Kept = {
  readonly ref: DocumentRef
  readonly embedModel: string
  readonly rows: readonly number[]
  readonly writtenAt: number
}

/** Documents in memory, for installs without a database: what is ingested lasts as long as the process. */
export const createMemoryIndex = (): DocumentIndex => {
  const documents = new Map<string, Kept>()
  const chunks = new Map<number, StoredChunk>()
  const texts = new TextRows()
  const byModel = new Map<string, VectorRows>()
  let last = 0

  const idOf = new Map<string, string>()
  const keyOf = ({ kind, source }: Pick<DocumentRef, "kind" | "source">): string => `${kind} ${source}`
  const forget = (id: string): boolean => {
    const kept = documents.get(id)
    for (const row of kept?.rows ?? []) {
      chunks.delete(row)
      texts.delete(row)
      byModel.get(kept!.embedModel)?.delete(row)
    }
    if (kept) idOf.delete(keyOf(kept.ref))
    return documents.delete(id)
  }
  const refs = (wanted: (ref: DocumentRef) => boolean): DocumentRef[] =>
    [...documents.values()].map(({ ref }) => ref).filter(wanted)

  const keptOf = ({ ref, rows, writtenAt }: Kept): FileEntry => ({
    id: ref.id,
    source: ref.source,
    title: chunks.get(rows[0] ?? -1)?.metadata.title ?? null,
    chunks: rows.length,
    writtenAt,
  })

  return {
    kind: "memory",
    findBySource: async (kind, sources) => {
      const found = sources.flatMap((source) => documents.get(idOf.get(keyOf({ kind, source })) ?? "")?.ref ?? [])
      return new Map(found.map((ref) => [ref.source, ref]))
    },
    listFiles: async () =>
      [...documents.values()]
        .filter(({ ref }) => ref.kind === "file")
        .map(keptOf)
        .sort((a, b) => (a.source < b.source ? -1 : 1)),
    getFile: async (id) => {
      const kept = documents.get(id)
      if (kept?.ref.kind !== "file") return null
      return { document: keptOf(kept), chunks: kept.rows.flatMap((row) => chunks.get(row) ?? []) }
    },
    listUnderPath: async (path) => {
      const folder = path.endsWith("/") ? path : `${path}/`
      return refs((ref) => ref.kind === "file" && (ref.source === path || ref.source.startsWith(folder)))
    },
    put: async ({ chunks: added, embedModel, ...ref }) => {
      const before = idOf.get(keyOf(ref))
      if (before !== undefined) forget(before)
      const vectors = byModel.get(embedModel) ?? new VectorRows()
      byModel.set(embedModel, vectors)
      const rows = added.map(({ text, context, metadata, vector }, ordinal) => {
        const row = ++last
        const { id: documentId, kind, source } = ref
        chunks.set(row, { row, documentId, kind, ordinal, text, metadata: { source, ...metadata } })
        texts.add(row, [text, context])
        vectors.set(row, kind, vector)
        return row
      })
      documents.set(ref.id, { ref, embedModel, rows, writtenAt: Date.now() })
      idOf.set(keyOf(ref), ref.id)
    },
    remove: async (ids) => ids.filter(forget).length,
    listClipsWithoutChunks: async () => [],
    searchText: async (terms, { scope, limit }) => {
      const best = new Best(limit)
      for (const [row, score] of texts.score(terms.slice(0, MAX_TERMS)))
        if (inScope(chunks.get(row)!.kind, scope)) best.add(row, score)
      return best.hits
    },
    searchVectors: async (model, vector, { scope, limit }) => byModel.get(model)?.search(vector, scope, limit) ?? [],
    countChunksWithWords: async (words, scope) => {
      const inside = (row: number) => inScope(chunks.get(row)!.kind, scope)
      return {
        total: [...chunks.keys()].filter(inside).length,
        counts: words.map((word) => texts.rowsWith(word).filter(inside).length),
      }
    },
    getChunks: async (rows) => rows.flatMap((row) => chunks.get(row) ?? []),
    getVectors: async (model, rows) => {
      const kept = byModel.get(model)
      return new Map(rows.flatMap((row) => (kept?.has(row) ? [[row, kept.get(row)!]] : [])))
    },
    getCounts: async () => ({
      documents: documents.size,
      chunks: chunks.size,
      textRows: texts.size,
      vectors: [...byModel.values()].reduce((sum, rows) => sum + rows.size, 0),
    }),
  }
}
