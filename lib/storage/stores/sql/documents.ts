import { and, count, eq, inArray, sql } from "drizzle-orm"
import type { ChunkMetadata } from "../../../domain/documents.ts"
import type { DocumentKind, DocumentRef, FileEntry, IndexCounts, NewDocument, StoredChunk } from "../ports/documents.ts"
import { chunks as parts } from "./chunks.ts"
import type { Context, Tx } from "./context.ts"
import { all, get, run, type Steps } from "./steps.ts"

const refColumns = ({ t: { documents: d } }: Tx) => ({
  id: d.id,
  kind: d.kind,
  source: d.source,
  fingerprint: d.fingerprint,
})

export const known = (c: Context, kind: DocumentKind, sources: readonly string[]): Promise<Map<string, DocumentRef>> =>
  c.read(function* (tx) {
    const { documents } = tx.t
    const found = new Map<string, DocumentRef>()
    for (const part of parts(sources)) {
      const where = and(eq(documents.kind, kind), inArray(documents.source, part))
      for (const row of yield* all(tx.db.select(refColumns(tx)).from(documents).where(where)))
        found.set(row.source, row)
    }
    return found
  })

const keptColumns = ({ dialect, t: { documents: d } }: Tx) => ({
  id: d.id,
  source: d.source,
  title: sql<
    string | null
  >`(select ${dialect.jsonText(sql`c.metadata`, "title")} from document_chunks c where c.document_id = documents.id order by c.ordinal limit 1)`,
  chunks: sql`(select count(*) from document_chunks c where c.document_id = documents.id)`.mapWith(Number),
  writtenAt: d.writtenAt,
})

export const files = (c: Context): Promise<FileEntry[]> =>
  c.read((tx) => {
    const { documents } = tx.t
    const ofFiles = tx.db.select(keptColumns(tx)).from(documents).where(eq(documents.kind, "file"))
    return all(ofFiles.orderBy(documents.source))
  })

export const file = (c: Context, id: string) =>
  c.read(function* (tx) {
    const { documents, documentChunks } = tx.t
    const of = and(eq(documents.kind, "file"), eq(documents.id, id))
    const document = yield* get(tx.db.select(keptColumns(tx)).from(documents).where(of))
    if (!document) return null
    const rows = tx.db.select({ id: documentChunks.id }).from(documentChunks).where(eq(documentChunks.documentId, id))
    const ids = (yield* all(rows.orderBy(documentChunks.ordinal))).map((row) => row.id)
    return { document, chunks: yield* chunksOf(tx, ids) }
  })

export const listUnderPath = (c: Context, path: string): Promise<DocumentRef[]> => {
  const folder = path.endsWith("/") ? path : `${path}/`
  return c.read((tx) => {
    const { documents } = tx.t
    const inFolder = sql`substr(${documents.source}, 1, length(${folder})) = ${folder}`
    const where = and(eq(documents.kind, "file"), sql`(${documents.source} = ${path} or ${inFolder})`)
    return all(tx.db.select(refColumns(tx)).from(documents).where(where).orderBy(documents.source))
  })
}

export const put = (c: Context, document: NewDocument): Promise<void> => {
  const { id, kind, source, fingerprint, embedModel } = document
  return c.write([`document ${kind} ${source}`], function* (tx) {
    const { documents } = tx.t
    yield* run(tx.db.delete(documents).where(and(eq(documents.kind, kind), eq(documents.source, source))))
    const row = { id, kind, source, fingerprint, embedModel, writtenAt: tx.at }
    yield* run(tx.db.insert(documents).values(row))
    yield* tx.dialect.insertChunks(tx, document)
  })
}

export const remove = (c: Context, ids: readonly string[]): Promise<number> =>
  c.write([], function* ({ db, t: { documents } }) {
    let removed = 0
    for (const part of parts(ids)) removed += yield* run(db.delete(documents).where(inArray(documents.id, part)))
    return removed
  })

export const clipsWithoutChunks = async (c: Context, embedModel: string): Promise<string[]> => {
  const rows = await c.read(({ db, t: { clips, documents, transcripts } }) => {
    const ofClip = and(eq(documents.kind, "clip"), eq(documents.source, clips.id), eq(documents.embedModel, embedModel))
    return all(
      db
        .select({ id: clips.id })
        .from(clips)
        .innerJoin(transcripts, eq(transcripts.clipId, clips.id))
        .leftJoin(documents, ofClip)
        .where(sql`${documents.id} is null`)
        .orderBy(clips.createdAt),
    )
  })
  return rows.map(({ id }) => id)
}

function* chunksOf({ db, t: { documents, documentChunks } }: Tx, rows: readonly number[]): Steps<StoredChunk[]> {
  const found = new Map<number, StoredChunk>()
  for (const part of parts(rows)) {
    const list = yield* all(
      db
        .select({ chunk: documentChunks, kind: documents.kind, source: documents.source })
        .from(documentChunks)
        .innerJoin(documents, eq(documents.id, documentChunks.documentId))
        .where(inArray(documentChunks.id, part)),
    )
    for (const { chunk, kind, source } of list) {
      const metadata: ChunkMetadata = { source, ...chunk.metadata }
      const { id: row, documentId, ordinal, text } = chunk
      found.set(row, { row, documentId, kind, ordinal, text, metadata })
    }
  }
  return rows.flatMap((row) => found.get(row) ?? [])
}

export const readChunks = (c: Context, rows: readonly number[]): Promise<StoredChunk[]> =>
  c.read((tx) => chunksOf(tx, rows))

export const counts = (c: Context): Promise<IndexCounts> =>
  c.read(function* (tx) {
    const { documents, documentChunks } = tx.t
    const [all1] = yield* all(tx.db.select({ n: count() }).from(documents))
    const [chunks] = yield* all(tx.db.select({ n: count() }).from(documentChunks))
    const withVector = tx.db.select({ n: count() }).from(documentChunks)
    const [vectors] = yield* all(withVector.where(sql`length(${documentChunks.vector}) > 0`))
    return {
      documents: all1!.n,
      chunks: chunks!.n,
      textRows: yield* tx.dialect.textRows(tx),
      vectors: vectors!.n,
    }
  })
