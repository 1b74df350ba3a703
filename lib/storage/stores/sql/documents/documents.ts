import { and, count, eq, inArray, sql } from "drizzle-orm"
import type { QueryScope } from "../../../../domain/documents.ts"
import { restoreWords } from "../../../../domain/transcript/word-timings.ts"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import type {
  DocumentIndex,
  DocumentKind,
  DocumentRef,
  FileEntry,
  IndexCounts,
  NewDocument,
  StoredChunk,
} from "../../ports/documents.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { all, get, inBatches, type Operation, run } from "../statements.ts"
import type { VectorSearch } from "./memory-vectors.ts"
import { scopeCondition } from "./scope.ts"

/** Creates the document index of a database from its way to search vectors. */
export const createSqlDocumentIndex = (kind: string, database: SqlDatabase, vectors: VectorSearch): DocumentIndex => ({
  kind,
  findBySource: (kind, sources) => findBySource(database, kind, sources),
  listFiles: () => listFiles(database),
  getFile: (id) => getFile(database, id),
  getClipChunks: (clipId) => getClipChunks(database, clipId),
  listUnderPath: (path) => listUnderPath(database, path),
  put: (document) => putDocument(database, document),
  remove: (ids) => removeDocuments(database, ids),
  listClipsWithoutChunks: (model) => listClipsWithoutChunks(database, model),
  searchText: (terms, p) => database.read((tx) => tx.dialect.searchText(tx, terms, p)),
  ...vectors,
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

const fileColumns = ({ dialect, tables: { documents: d } }: Transaction) => ({
  id: d.id,
  source: d.source,
  title: sql<
    string | null
  >`(select ${dialect.jsonText(sql`c.metadata`, "title")} from document_chunks c where c.document_id = documents.id order by c.ordinal limit 1)`,
  chunks: sql`(select count(*) from document_chunks c where c.document_id = documents.id)`.mapWith(Number),
  writtenAt: d.writtenAt,
})

const listFiles = (database: SqlDatabase): Promise<FileEntry[]> =>
  database.read((tx) => {
    const { documents } = tx.tables
    const files = tx.db.select(fileColumns(tx)).from(documents).where(eq(documents.kind, "file"))
    return all(files.orderBy(documents.source))
  })

const getFile = (database: SqlDatabase, id: string) =>
  database.read(function* (tx) {
    const { documents } = tx.tables
    const isFile = and(eq(documents.kind, "file"), eq(documents.id, id))
    const document = yield* get(tx.db.select(fileColumns(tx)).from(documents).where(isFile))
    return document ? { document, chunks: yield* readDocumentChunks(tx, id) } : null
  })

const getClipChunks = (database: SqlDatabase, clipId: string): Promise<StoredChunk[]> =>
  database.read(function* (tx) {
    const { documents } = tx.tables
    const isClip = and(eq(documents.kind, "clip"), eq(documents.source, clipId))
    const document = yield* get(tx.db.select({ id: documents.id }).from(documents).where(isClip))
    return document ? yield* readDocumentChunks(tx, document.id) : []
  })

function* readDocumentChunks(tx: Transaction, documentId: string): Operation<StoredChunk[]> {
  const { documentChunks } = tx.tables
  const isOfDocument = eq(documentChunks.documentId, documentId)
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

/** Returns true if the clip has this title and these words, however their JSON is formatted. */
function* isCurrentClip(
  { db, tables: { clips, transcripts } }: Transaction,
  clipId: string,
  title: string,
  wordsJson: string,
): Operation<boolean> {
  const stored = yield* get(
    db
      .select({ title: clips.title, words: transcripts.words })
      .from(clips)
      .innerJoin(transcripts, eq(transcripts.clipId, clips.id))
      .where(eq(clips.id, clipId)),
  )
  if (stored?.title !== title) return false
  return stored.words === wordsJson || JSON.stringify(JSON.parse(stored.words)) === wordsJson
}

/** Writing this many chunks blocks a process for about 20 ms on SQLite. Many small documents are faster at once. */
const MAX_CHUNKS_AT_ONCE = 100

const putDocument = (database: SqlDatabase, document: NewDocument): Promise<boolean> => {
  const { id, kind, source, fingerprint, embedModel, clip } = document
  const wordsJson = clip ? JSON.stringify(clip.transcription) : ""
  const locks = [`document ${kind} ${source}`, ...(kind === "clip" ? [clipLockKey(source)] : [])]
  const write = document.chunks.length > MAX_CHUNKS_AT_ONCE ? database.writeInTurns : database.write
  return write(locks, function* (tx) {
    if (clip && !(yield* isCurrentClip(tx, source, clip.title, wordsJson))) return false
    const { documents } = tx.tables
    yield* run(tx.db.delete(documents).where(and(eq(documents.kind, kind), eq(documents.source, source))))
    const row = { id, kind, source, fingerprint, embedModel, writtenAt: tx.now }
    yield* run(tx.db.insert(documents).values(row))
    yield* tx.dialect.insertChunks(tx, document)
    return true
  })
}

const removeDocuments = (database: SqlDatabase, ids: readonly string[]): Promise<number> =>
  database.write([], function* ({ db, tables: { documents } }) {
    let removed = 0
    for (const batch of inBatches(ids)) removed += yield* run(db.delete(documents).where(inArray(documents.id, batch)))
    return removed
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

const countChunksWithWords = (database: SqlDatabase, words: readonly string[], scope: QueryScope) =>
  database.read(function* (tx) {
    const { documentChunks } = tx.tables
    const isInScope = yield* scopeCondition(tx, scope, sql`${documentChunks.id}`)
    const [chunks] = yield* all(tx.db.select({ n: count() }).from(documentChunks).where(isInScope))
    return { total: chunks!.n, counts: yield* tx.dialect.countChunksWithWords(tx, words, scope) }
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
