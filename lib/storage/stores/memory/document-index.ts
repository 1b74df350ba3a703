import type { WordSpan } from "../../../domain/transcript/words.ts"
import { batchChunks } from "../ports/chunk-batches.ts"
import {
  type ChunkScope,
  type DocumentIndex,
  type DocumentRef,
  type FileEntry,
  includesKind,
  MAX_TERMS,
  type NewChunk,
  type StoredChunk,
} from "../ports/documents.ts"
import { TopHits, VectorRows } from "../search/vector-rows.ts"
import { pageOfFiles } from "./page-of-files.ts"
import { TextRows } from "./text-rows.ts"

type StoredDocument = {
  readonly ref: DocumentRef
  readonly embedModel: string
  readonly rows: readonly number[]
  readonly writtenAt: number
}

const BATCH_SIZE = 100

/** Creates a document index in memory, for installations without a database. It is lost when the process ends. */
export const createMemoryIndex = (): DocumentIndex => {
  const documents = new Map<string, StoredDocument>()
  const chunks = new Map<number, StoredChunk>()
  const wordsByRow = new Map<number, readonly WordSpan[]>()
  const texts = new TextRows()
  const byModel = new Map<string, VectorRows>()
  let lastRow = 0

  const idBySource = new Map<string, string>()
  const sourceKey = ({ kind, source }: Pick<DocumentRef, "kind" | "source">): string => `${kind} ${source}`
  const removeDocument = (id: string): boolean => {
    const stored = documents.get(id)
    for (const row of stored?.rows ?? []) {
      chunks.delete(row)
      wordsByRow.delete(row)
      texts.delete(row)
      byModel.get(stored!.embedModel)?.delete(row)
    }
    if (stored) idBySource.delete(sourceKey(stored.ref))
    return documents.delete(id)
  }
  const listReferences = (isWanted: (ref: DocumentRef) => boolean): DocumentRef[] =>
    [...documents.values()].map(({ ref }) => ref).filter(isWanted)

  /** Tags and names of speakers are in the database only, so that no recording in memory has one. */
  const matches = ({ ref, writtenAt }: StoredDocument, scope: ChunkScope): boolean => {
    const { clipIds, tags, speakers, sections, documents, after, before } = scope.filter ?? {}
    if (!includesKind(ref.kind, scope)) return false
    if ((after !== undefined && writtenAt < after) || (before !== undefined && writtenAt >= before)) return false
    return ref.kind === "file"
      ? documents?.includes(ref.id) !== false
      : !tags && !speakers && !sections && clipIds?.includes(ref.source) !== false
  }
  const inScope = (scope: ChunkScope): ((row: number) => boolean) => {
    const matched = new Map<string, boolean>()
    return (row) => {
      const { documentId } = chunks.get(row)!
      const isMatch = matched.get(documentId) ?? matches(documents.get(documentId)!, scope)
      matched.set(documentId, isMatch)
      return isMatch
    }
  }

  const toFileEntry = ({ ref, rows, writtenAt }: StoredDocument): FileEntry => ({
    id: ref.id,
    source: ref.source,
    title: chunks.get(rows[0] ?? -1)?.metadata.title ?? null,
    chunks: rows.length,
    writtenAt,
  })

  const listFiles = (): FileEntry[] =>
    [...documents.values()]
      .filter(({ ref }) => ref.kind === "file")
      .map(toFileEntry)
      .sort((a, b) => (a.source < b.source ? -1 : 1))

  return {
    kind: "memory",
    findBySource: async (kind, sources) => {
      const found = sources.flatMap(
        (source) => documents.get(idBySource.get(sourceKey({ kind, source })) ?? "")?.ref ?? [],
      )
      return new Map(found.map((ref) => [ref.source, ref]))
    },
    listFiles: async () => listFiles(),
    findFiles: async (query) => pageOfFiles(listFiles(), query),
    getFile: async (id, { first, count } = { first: 0, count: Number.POSITIVE_INFINITY }) => {
      const stored = documents.get(id)
      if (stored?.ref.kind !== "file") return null
      const rows = stored.rows.slice(first, first + count)
      return { document: toFileEntry(stored), chunks: rows.flatMap((row) => chunks.get(row) ?? []) }
    },
    getClipChunks: async (clipId) => {
      const stored = [...documents.values()].find(({ ref }) => ref.kind === "clip" && ref.source === clipId)
      return stored?.rows.flatMap((row) => chunks.get(row) ?? []) ?? []
    },
    listUnderPath: async (path) => {
      const folder = path.endsWith("/") ? path : `${path}/`
      return listReferences((ref) => ref.kind === "file" && (ref.source === path || ref.source.startsWith(folder)))
    },
    put: async ({ chunks: added, embedModel, id, kind, source, fingerprint }) => {
      const ref: DocumentRef = { id, kind, source, fingerprint }
      const previous = idBySource.get(sourceKey(ref))
      if (previous !== undefined) removeDocument(previous)
      const vectors = byModel.get(embedModel) ?? new VectorRows()
      byModel.set(embedModel, vectors)
      const rows: number[] = []
      const addRow = ({ text, context, metadata, words, vector }: NewChunk): void => {
        const [row, ordinal] = [++lastRow, rows.length]
        chunks.set(row, { row, documentId: id, kind, ordinal, text, metadata: { source, ...metadata } })
        if (words) wordsByRow.set(row, words)
        texts.add(row, [text, context])
        vectors.set(row, kind, vector)
        rows.push(row)
      }
      for (const batch of batchChunks(added, BATCH_SIZE)) batch.forEach(addRow)
      documents.set(id, { ref, embedModel, rows, writtenAt: Date.now() })
      idBySource.set(sourceKey(ref), id)
      return true
    },
    listFilesOfOtherModels: async (embedModel) =>
      [...documents.values()].filter((d) => d.ref.kind === "file" && d.embedModel !== embedModel).map(({ ref }) => ref),
    replaceVectors: async ({ document, fingerprint, embedModel, vectors }) => {
      const stored = documents.get(document.id)
      if (stored?.ref.fingerprint !== document.fingerprint || stored.rows.length !== vectors.length) return false
      const rows = byModel.get(embedModel) ?? new VectorRows()
      byModel.set(embedModel, rows)
      stored.rows.forEach((row, i) => {
        byModel.get(stored.embedModel)?.delete(row)
        rows.set(row, stored.ref.kind, vectors[i]!)
      })
      documents.set(document.id, { ...stored, ref: { ...stored.ref, fingerprint }, embedModel })
      return true
    },
    remove: async (ids) => ids.filter(removeDocument).length,
    listClipsWithoutChunks: async () => [],
    searchText: async (terms, { limit, ...scope }) => {
      const best = new TopHits(limit)
      const isInScope = inScope(scope)
      for (const [row, score] of texts.score(terms.slice(0, MAX_TERMS))) if (isInScope(row)) best.add(row, score)
      return best.hits
    },
    searchVectors: async (model, vector, { limit, ...scope }) =>
      byModel.get(model)?.search(vector, scope, limit, inScope(scope)) ?? [],
    countInScope: async (scope) => {
      const found = [...documents.values()].filter((stored) => stored.rows.length > 0 && matches(stored, scope))
      const countOf = (kind: DocumentRef["kind"]) => found.filter(({ ref }) => ref.kind === kind).length
      const total = found.reduce((sum, { rows }) => sum + rows.length, 0)
      return { clips: countOf("clip"), files: countOf("file"), chunks: total }
    },
    countChunksWithWords: async (words, scope) => {
      const isInScope = inScope(scope)
      return {
        total: [...chunks.keys()].filter(isInScope).length,
        counts: words.map((word) => texts.findWord(word).filter(isInScope).length),
      }
    },
    getChunks: async (rows) => rows.flatMap((row) => chunks.get(row) ?? []),
    getWords: async (rows) =>
      new Map(rows.flatMap((row) => (wordsByRow.has(row) ? [[row, wordsByRow.get(row)!]] : []))),
    getVectors: async (model, rows) => {
      const stored = byModel.get(model)
      return new Map(rows.flatMap((row) => (stored?.has(row) ? [[row, stored.get(row)!]] : [])))
    },
    getCounts: async () => ({
      documents: documents.size,
      chunks: chunks.size,
      textRows: texts.size,
      vectors: [...byModel.values()].reduce((sum, rows) => sum + rows.size, 0),
    }),
  }
}
