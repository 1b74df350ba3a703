import { and, eq, inArray, type Placeholder, sql } from "drizzle-orm"
import type { ChunkMetadata } from "../../contracts/documents.ts"
import type { DatabaseHandle } from "../../db/open.ts"
import { clips, documentChunks, documents, transcripts } from "../../db/schema/index.ts"
import { withRead, withWrite } from "../../db/transact.ts"
import { spaced } from "../../text/tokens.ts"
import type { DocumentKind, DocumentRef, IndexCounts, KeptDocument, NewDocument, StoredChunk } from "../search/types.ts"
import { chunks as parts } from "./chunks.ts"
import type { Context } from "./context.ts"

const refColumns = {
  id: documents.id,
  kind: documents.kind,
  source: documents.source,
  fingerprint: documents.fingerprint,
}

export const known = ({ handle }: Context, kind: DocumentKind, sources: readonly string[]): Map<string, DocumentRef> =>
  withRead(handle, (tx) => {
    const found = new Map<string, DocumentRef>()
    for (const part of parts(sources)) {
      const where = and(eq(documents.kind, kind), inArray(documents.source, part))
      for (const row of tx.select(refColumns).from(documents).where(where).all()) found.set(row.source, row)
    }
    return found
  })

const keptColumns = {
  id: documents.id,
  source: documents.source,
  title: sql<
    string | null
  >`(select json_extract(c.metadata, '$.title') from document_chunks c where c.document_id = documents.id order by c.ordinal limit 1)`,
  chunks: sql<number>`(select count(*) from document_chunks c where c.document_id = documents.id)`,
  writtenAt: documents.writtenAt,
}

export const files = ({ handle }: Context): KeptDocument[] =>
  withRead(handle, (tx) =>
    tx.select(keptColumns).from(documents).where(eq(documents.kind, "file")).orderBy(documents.source).all(),
  )

export const file = (c: Context, id: string) => {
  const of = and(eq(documents.kind, "file"), eq(documents.id, id))
  const found = withRead(c.handle, (tx) => {
    const document = tx.select(keptColumns).from(documents).where(of).get()
    const rows = tx.select({ id: documentChunks.id }).from(documentChunks).where(eq(documentChunks.documentId, id))
    return document && { document, rows: rows.orderBy(documentChunks.ordinal).all() }
  })
  if (!found) return null
  const { document, rows } = found
  return {
    document,
    chunks: readChunks(
      c,
      rows.map((row) => row.id),
    ),
  }
}

export const below = ({ handle }: Context, path: string): DocumentRef[] => {
  const folder = path.endsWith("/") ? path : `${path}/`
  const inFolder = sql`substr(${documents.source}, 1, ${folder.length}) = ${folder}`
  return withRead(handle, (tx) =>
    tx
      .select(refColumns)
      .from(documents)
      .where(and(eq(documents.kind, "file"), sql`(${documents.source} = ${path} or ${inFolder})`))
      .orderBy(documents.source)
      .all(),
  )
}

const vectorBlob = (v: Float32Array): Buffer => Buffer.from(v.buffer, v.byteOffset, v.byteLength)

/** Made once a database: a folder of files runs them thousands of times. */
const prepareInserts = ({ db, raw }: DatabaseHandle) => {
  const [documentId, ordinal, text, metadata, vector] = ["documentId", "ordinal", "text", "metadata", "vector"].map(
    (name) => sql.placeholder(name),
  ) as [Placeholder, Placeholder, Placeholder, Placeholder, Placeholder]
  return {
    chunk: db.insert(documentChunks).values({ documentId, ordinal, text, metadata, vector }).prepare(),
    text: raw.prepare("insert into chunks_fts (rowid, text, context) values (?, ?, ?)"),
  }
}
const prepared = new WeakMap<DatabaseHandle, ReturnType<typeof prepareInserts>>()

/** To be called inside a transaction of this database. */
const insertChunks = (handle: DatabaseHandle, documentId: string, chunks: NewDocument["chunks"]): void => {
  const insert = prepared.get(handle) ?? prepareInserts(handle)
  prepared.set(handle, insert)
  chunks.forEach(({ text, context, metadata, vector }, ordinal) => {
    const { lastInsertRowid } = insert.chunk.run({ documentId, ordinal, text, metadata, vector: vectorBlob(vector) })
    insert.text.run(lastInsertRowid, spaced(text), spaced(context))
  })
}

export const put = ({ handle, now }: Context, { chunks, ...document }: NewDocument): void =>
  withWrite(handle, (tx) => {
    tx.delete(documents)
      .where(and(eq(documents.kind, document.kind), eq(documents.source, document.source)))
      .run()
    tx.insert(documents)
      .values({ ...document, writtenAt: now() })
      .run()
    insertChunks(handle, document.id, chunks)
  })

export const remove = ({ handle }: Context, ids: readonly string[]): number =>
  withWrite(handle, (tx) => {
    let removed = 0
    for (const part of parts(ids)) removed += tx.delete(documents).where(inArray(documents.id, part)).run().changes
    return removed
  })

export const clipsToFill = ({ handle }: Context, embedModel: string): string[] =>
  withRead(handle, (tx) =>
    tx
      .select({ id: clips.id })
      .from(clips)
      .innerJoin(transcripts, eq(transcripts.clipId, clips.id))
      .leftJoin(
        documents,
        and(eq(documents.kind, "clip"), eq(documents.source, clips.id), eq(documents.embedModel, embedModel)),
      )
      .where(sql`${documents.id} is null`)
      .orderBy(clips.createdAt)
      .all(),
  ).map(({ id }) => id)

export const readChunks = ({ handle }: Context, rows: readonly number[]): StoredChunk[] =>
  withRead(handle, (tx) => {
    const found = new Map<number, StoredChunk>()
    for (const part of parts(rows)) {
      const list = tx
        .select({ chunk: documentChunks, kind: documents.kind, source: documents.source })
        .from(documentChunks)
        .innerJoin(documents, eq(documents.id, documentChunks.documentId))
        .where(inArray(documentChunks.id, part))
        .all()
      for (const { chunk, kind, source } of list) {
        const metadata: ChunkMetadata = { source, ...chunk.metadata }
        const { id: row, documentId, ordinal, text } = chunk
        found.set(row, { row, documentId, kind, ordinal, text, metadata })
      }
    }
    return rows.flatMap((row) => found.get(row) ?? [])
  })

export const counts = ({ handle }: Context): IndexCounts =>
  withRead(handle, (tx) => {
    const count = (from: ReturnType<typeof sql>) => tx.get<{ n: number }>(sql`select count(*) as n from ${from}`).n
    const chunks = count(sql`document_chunks`)
    return {
      documents: count(sql`documents`),
      chunks,
      textRows: count(sql`chunks_fts`),
      vectors: count(sql`document_chunks where length(vector) > 0`),
    }
  })
