import { type AnyColumn, and, count, eq, gte, inArray, lt, ne, or, type SQL, sql } from "drizzle-orm"
import { extensionsOf } from "../../../../domain/document-formats.ts"
import type { DocumentsQuery } from "../../../../domain/documents.ts"
import { AppError } from "../../../../domain/errors.ts"
import { restoreWords } from "../../../../domain/transcript/word-timings.ts"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import { countChunks } from "../../ports/chunk-batches.ts"
import type {
  ChunkScope,
  ChunkSelection,
  DocumentIndex,
  DocumentKind,
  DocumentRef,
  FileEntry,
  FilePage,
  IndexCounts,
  NewDocument,
  ScopeCounts,
  StoredChunk,
} from "../../ports/documents.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { isAfter, isCreatedIn, type Order, orderBy, splitPage } from "../pagination.ts"
import { all, get, inBatches, type Operation, queryRows } from "../statements.ts"
import type { VectorSearch } from "./memory-vectors.ts"
import { scopeCondition, selectChunkIds } from "./scope.ts"
import { deleteDocuments, replaceVectors, writeDocument } from "./write-document.ts"

/** Creates the document index of a database from its way to search vectors. */
export const createSqlDocumentIndex = (kind: string, database: SqlDatabase, vectors: VectorSearch): DocumentIndex => ({
  kind,
  findBySource: (kind, sources) => findBySource(database, kind, sources),
  listFiles: () => listFiles(database),
  findFiles: (query) => findFiles(database, query),
  getFile: (id, range) => getFile(database, id, range),
  getClipChunks: (clipId) => getClipChunks(database, clipId),
  listUnderPath: (path) => listUnderPath(database, path),
  put: (document) => putDocument(database, document),
  listFilesOfOtherModels: (model) => listFilesOfOtherModels(database, model),
  replaceVectors: (vectors) => database.write(lockKeysOf(vectors.document), (tx) => replaceVectors(tx, vectors)),
  remove: (ids) => removeDocuments(database, ids),
  listClipsWithoutChunks: (model) => listClipsWithoutChunks(database, model),
  searchText: (terms, p) => database.read((tx) => tx.dialect.searchText(tx, terms, p)),
  ...vectors,
  countInScope: (scope) => countInScope(database, scope),
  countChunksWithWords: (words, scope) => countChunksWithWords(database, words, scope),
  getChunks: (rows) => database.read((tx) => readChunks(tx, rows)),
  getWords: (rows) => getWords(database, rows),
  getCounts: () => getCounts(database),
})

const referenceColumns = ({ tables: { documents: d } }: Transaction) => ({
  id: d.id,
  kind: d.kind,
  source: d.source,
  fingerprint: d.fingerprint,
})

const findBySource = (
  database: SqlDatabase,
  kind: DocumentKind,
  sources: readonly string[],
): Promise<Map<string, DocumentRef>> =>
  database.read(function* (tx) {
    const { documents } = tx.tables
    const found = new Map<string, DocumentRef>()
    for (const batch of inBatches(sources)) {
      const where = and(eq(documents.kind, kind), inArray(documents.source, batch))
      for (const row of yield* all(tx.db.select(referenceColumns(tx)).from(documents).where(where)))
        found.set(row.source, row)
    }
    return found
  })

/** More files than an index holds. */
const MAX_FILES = 10_000_000

const titleColumn = ({ dialect }: Transaction): SQL<string | null> =>
  sql`(select ${dialect.jsonText(sql`c.metadata`, "title")} from document_chunks c where c.document_id = documents.id order by c.ordinal limit 1)`

const fileColumns = (tx: Transaction) => {
  const { documents: d } = tx.tables
  return {
    id: d.id,
    source: d.source,
    title: titleColumn(tx),
    chunks: sql`(select count(*) from document_chunks c where c.document_id = documents.id)`.mapWith(Number),
    writtenAt: d.writtenAt,
  }
}

const listFiles = (database: SqlDatabase): Promise<FileEntry[]> =>
  database.read((tx) => {
    const { documents } = tx.tables
    const files = tx.db.select(fileColumns(tx)).from(documents).where(eq(documents.kind, "file"))
    return all(files.orderBy(documents.source))
  })

const toOrder = ({ tables: { documents } }: Transaction, sort: DocumentsQuery["sort"] = "source"): Order => {
  const order = { name: sort, id: documents.id, isDescending: sort.startsWith("-") }
  return sort.endsWith("created_at")
    ? { ...order, type: "integer", column: documents.writtenAt }
    : { ...order, type: "text", column: documents.source }
}

const hasExtension = ({ dialect, tables: { documents } }: Transaction, extension: string): SQL =>
  sql`${dialect.foldText(documents.source)} like ${`%${extension}`}`

const findFiles = (
  database: SqlDatabase,
  { limit, cursor, q, format, sort, ...created }: DocumentsQuery,
): Promise<FilePage> =>
  database.read(function* (tx) {
    const { documents } = tx.tables
    const order = toOrder(tx, sort)
    const contains = (column: AnyColumn | SQL) => (q ? tx.dialect.containsText(column, q) : undefined)
    const where = and(
      eq(documents.kind, "file"),
      or(contains(documents.source), contains(titleColumn(tx))),
      format && or(...extensionsOf(format).map((extension) => hasExtension(tx, extension))),
      isCreatedIn(documents.writtenAt, created),
      isAfter(cursor, order),
    )
    const query = tx.db
      .select({
        ...fileColumns(tx),
        value: sql<number | string>`${order.column}`.mapWith(order.type === "text" ? String : Number),
      })
      .from(documents)
    const rows = yield* all(
      query
        .where(where)
        .orderBy(...orderBy(order))
        .limit((limit ?? MAX_FILES) + 1),
    )
    const { page, next } = splitPage(rows, limit ?? MAX_FILES, order)
    return { files: page.map(({ value: _, ...file }) => file), ...next }
  })

const getFile = (database: SqlDatabase, id: string, range?: ChunkSelection) =>
  database.read(function* (tx) {
    const { documents } = tx.tables
    const isFile = and(eq(documents.kind, "file"), eq(documents.id, id))
    const document = yield* get(tx.db.select(fileColumns(tx)).from(documents).where(isFile))
    return document ? { document, chunks: yield* readDocumentChunks(tx, id, range) } : null
  })

const getClipChunks = (database: SqlDatabase, clipId: string): Promise<StoredChunk[]> =>
  database.read(function* (tx) {
    const { documents } = tx.tables
    const isClip = and(eq(documents.kind, "clip"), eq(documents.source, clipId))
    const document = yield* get(tx.db.select({ id: documents.id }).from(documents).where(isClip))
    return document ? yield* readDocumentChunks(tx, document.id) : []
  })

function* readDocumentChunks(tx: Transaction, documentId: string, range?: ChunkSelection): Operation<StoredChunk[]> {
  const { documentChunks } = tx.tables
  const { ordinal } = documentChunks
  const isInRange = range && and(gte(ordinal, range.first), lt(ordinal, range.first + range.count))
  const isOfDocument = and(eq(documentChunks.documentId, documentId), isInRange)
  const rows = tx.db.select({ id: documentChunks.id }).from(documentChunks).where(isOfDocument)
  const ids = (yield* all(rows.orderBy(documentChunks.ordinal))).map((row) => row.id)
  return yield* readChunks(tx, ids)
}

const listUnderPath = (database: SqlDatabase, path: string): Promise<DocumentRef[]> => {
  const folder = path.endsWith("/") ? path : `${path}/`
  return database.read((tx) => {
    const { documents } = tx.tables
    const isInFolder = sql`substr(${documents.source}, 1, length(${folder})) = ${folder}`
    const where = and(eq(documents.kind, "file"), sql`(${documents.source} = ${path} or ${isInFolder})`)
    return all(tx.db.select(referenceColumns(tx)).from(documents).where(where).orderBy(documents.source))
  })
}

/** Writing or removing this many chunks blocks a process for about 20 ms on SQLite. Fewer are faster in this process. */
const MAX_CHUNKS_AT_ONCE = 100

const lockKeysOf = ({ kind, source }: Pick<DocumentRef, "kind" | "source">): string[] => [
  `document ${kind} ${source}`,
  ...(kind === "clip" ? [clipLockKey(source)] : []),
]

const isStorageFull = (error: unknown): boolean => AppError.is(error) && error.code === "storage_full"

const putDocument = async (database: SqlDatabase, document: NewDocument): Promise<boolean> => {
  const { kind, source } = document
  const isLarge = countChunks(document.chunks) > MAX_CHUNKS_AT_ONCE
  const replaced = database.documentWriter && (await findBySource(database, kind, [source])).get(source)
  if (database.documentWriter && (isLarge || (replaced && (await hasManyChunks(database, [replaced.id])))))
    try {
      return await database.documentWriter.put(document)
    } catch (error) {
      // Only this process frees space on a full disk.
      if (!isStorageFull(error)) throw error
    }
  return database.write(lockKeysOf(document), (tx) => writeDocument(tx, document))
}

const hasManyChunks = (database: SqlDatabase, ids: readonly string[]): Promise<boolean> =>
  database.read(function* ({ db, tables: { documentChunks: c } }) {
    let found = 0
    for (const batch of inBatches(ids)) {
      const chunks = db.select({ id: c.id }).from(c).where(inArray(c.documentId, batch))
      found += (yield* all(chunks.limit(MAX_CHUNKS_AT_ONCE + 1))).length
      if (found > MAX_CHUNKS_AT_ONCE) return true
    }
    return false
  })

const removeDocuments = async (database: SqlDatabase, ids: readonly string[]): Promise<number> => {
  if (database.documentWriter && (await hasManyChunks(database, ids)))
    try {
      return await database.documentWriter.remove(ids)
    } catch (error) {
      if (!isStorageFull(error)) throw error
    }
  return database.write([], (tx) => deleteDocuments(tx, ids))
}

const listFilesOfOtherModels = (database: SqlDatabase, embedModel: string): Promise<DocumentRef[]> =>
  database.read((tx) => {
    const { documents } = tx.tables
    const isOther = and(eq(documents.kind, "file"), ne(documents.embedModel, embedModel))
    return all(tx.db.select(referenceColumns(tx)).from(documents).where(isOther).orderBy(documents.source))
  })

const listClipsWithoutChunks = async (database: SqlDatabase, embedModel: string): Promise<string[]> => {
  const rows = await database.read(({ db, tables: { clips, documents, transcripts } }) => {
    const isOfClip = and(
      eq(documents.kind, "clip"),
      eq(documents.source, clips.id),
      eq(documents.embedModel, embedModel),
    )
    return all(
      db
        .select({ id: clips.id })
        .from(clips)
        .innerJoin(transcripts, eq(transcripts.clipId, clips.id))
        .leftJoin(documents, isOfClip)
        .where(sql`${documents.id} is null`)
        .orderBy(clips.createdAt),
    )
  })
  return rows.map(({ id }) => id)
}

/** Reads chunks by ID, in the order of the IDs. Unknown IDs are skipped. */
function* readChunks(
  { db, tables: { documents, documentChunks } }: Transaction,
  ids: readonly number[],
): Operation<StoredChunk[]> {
  const found = new Map<number, StoredChunk>()
  for (const batch of inBatches(ids)) {
    const rows = yield* all(
      db
        .select({
          row: documentChunks.id,
          documentId: documentChunks.documentId,
          kind: documents.kind,
          source: documents.source,
          ordinal: documentChunks.ordinal,
          text: documentChunks.text,
          metadata: documentChunks.metadata,
        })
        .from(documentChunks)
        .innerJoin(documents, eq(documents.id, documentChunks.documentId))
        .where(inArray(documentChunks.id, batch)),
    )
    for (const { source, metadata, ...chunk } of rows)
      found.set(chunk.row, { ...chunk, metadata: { source, ...metadata } })
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

const getWords = (database: SqlDatabase, rows: readonly number[]): Promise<Map<number, readonly WordSpan[]>> =>
  database.read(function* ({ db, tables: { documentChunks: c } }) {
    const found = new Map<number, readonly WordSpan[]>()
    for (const batch of inBatches(rows)) {
      const chunks = db.select({ row: c.id, text: c.text, timings: c.timings }).from(c).where(inArray(c.id, batch))
      for (const { row, text, timings } of yield* all(chunks)) if (timings) found.set(row, restoreWords(text, timings))
    }
    return found
  })

const countChunksWithWords = (database: SqlDatabase, words: readonly string[], scope: ChunkScope) =>
  database.read(function* (tx) {
    const { documentChunks } = tx.tables
    const isInScope = yield* scopeCondition(tx, scope, sql`${documentChunks.id}`)
    const [chunks] = yield* all(tx.db.select({ n: count() }).from(documentChunks).where(isInScope))
    return { total: chunks!.n, counts: yield* tx.dialect.countChunksWithWords(tx, words, scope) }
  })

const countInScope = (database: SqlDatabase, scope: ChunkScope): Promise<ScopeCounts> =>
  database.read(function* (tx) {
    const counted = yield* queryRows<{ kind: DocumentKind; files: number; chunks: number }>(sql`
      select d.kind, count(distinct d.id) as files, count(*) as chunks from document_chunks c
      join documents d on d.id = c.document_id where c.id in (${selectChunkIds(tx, scope)}) group by d.kind`)
    const ofKind = (kind: DocumentKind) => Number(counted.find((row) => row.kind === kind)?.files ?? 0)
    const chunks = counted.reduce((sum, row) => sum + Number(row.chunks), 0)
    return { clips: ofKind("clip"), files: ofKind("file"), chunks }
  })

const getCounts = (database: SqlDatabase): Promise<IndexCounts> =>
  database.read(function* (tx) {
    const { documents, documentChunks } = tx.tables
    const [documentCount] = yield* all(tx.db.select({ n: count() }).from(documents))
    const [chunkCount] = yield* all(tx.db.select({ n: count() }).from(documentChunks))
    const withVector = tx.db.select({ n: count() }).from(documentChunks)
    const [vectorCount] = yield* all(withVector.where(sql`length(${documentChunks.vector}) > 0`))
    return {
      documents: documentCount!.n,
      chunks: chunkCount!.n,
      textRows: yield* tx.dialect.countIndexedChunks(tx),
      vectors: vectorCount!.n,
    }
  })
