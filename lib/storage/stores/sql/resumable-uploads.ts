import { and, asc, eq, gt, lte } from "drizzle-orm"
import type { resumableUploads } from "../../database/schema/index.ts"
import type { ResumableUpload, UploadPart } from "../ports/resumable-uploads.ts"
import type { SqlDatabase, Transaction } from "./database.ts"
import { all, get, type Operation, run } from "./statements.ts"

type UploadRow = typeof resumableUploads.$inferSelect

const lockKeyOf = (id: string): string => `resumable upload ${id}`

const toUpload = ({ id, name, metadata, size, offset, address, sha256, expiresAt }: UploadRow): ResumableUpload => ({
  id,
  name,
  metadata,
  size,
  offset,
  file: address === null || sha256 === null ? null : { address, sha256 },
  expiresAt,
})

function* readUpload(
  { db, now, tables: { resumableUploads: uploads } }: Transaction,
  id: string,
): Operation<UploadRow | null> {
  const isCurrent = and(eq(uploads.id, id), gt(uploads.expiresAt, now))
  return (yield* get(db.select().from(uploads).where(isCurrent))) ?? null
}

export const createUpload = async (
  database: SqlDatabase,
  upload: Pick<ResumableUpload, "id" | "name" | "metadata" | "size">,
  { lifetimeMs }: { readonly lifetimeMs: number },
): Promise<ResumableUpload> => {
  const [row] = await database.write([lockKeyOf(upload.id)], ({ db, now, tables }) =>
    all(
      db
        .insert(tables.resumableUploads)
        .values({ ...upload, createdAt: now, expiresAt: now + lifetimeMs })
        .returning(),
    ),
  )
  return toUpload(row!)
}

export const getUpload = async (database: SqlDatabase, id: string): Promise<ResumableUpload | null> => {
  const row = await database.read((tx) => readUpload(tx, id))
  return row && toUpload(row)
}

export const addUploadPart = async (
  database: SqlDatabase,
  id: string,
  part: UploadPart,
  { lifetimeMs }: { readonly lifetimeMs: number },
): Promise<ResumableUpload | null> => {
  const row = await database.write([lockKeyOf(id)], function* (tx) {
    const { resumableUploads: uploads, uploadParts } = tx.tables
    const upload = yield* readUpload(tx, id)
    if (upload?.offset !== part.start) return null
    yield* run(tx.db.insert(uploadParts).values({ uploadId: id, ...part }))
    const set = { offset: part.start + part.bytes, expiresAt: tx.now + lifetimeMs }
    yield* run(tx.db.update(uploads).set(set).where(eq(uploads.id, id)))
    return { ...upload, ...set }
  })
  return row && toUpload(row)
}

export const listUploadParts = (database: SqlDatabase, id: string): Promise<UploadPart[]> =>
  database.read(({ db, tables: { uploadParts: parts } }) =>
    all(
      db
        .select({ start: parts.start, bytes: parts.bytes, key: parts.key })
        .from(parts)
        .where(eq(parts.uploadId, id))
        .orderBy(asc(parts.start)),
    ),
  )

export const finishUpload = (
  database: SqlDatabase,
  id: string,
  file: NonNullable<ResumableUpload["file"]>,
): Promise<void> =>
  database.write([lockKeyOf(id)], function* ({ db, tables: { resumableUploads: uploads, uploadParts: parts } }) {
    yield* run(db.update(uploads).set(file).where(eq(uploads.id, id)))
    yield* run(db.delete(parts).where(eq(parts.uploadId, id)))
  })

export const removeUpload = (database: SqlDatabase, id: string): Promise<boolean> =>
  database.write([lockKeyOf(id)], function* ({ db, tables: { resumableUploads: uploads } }) {
    return (yield* run(db.delete(uploads).where(eq(uploads.id, id)))) > 0
  })

export const removeExpiredUploads = (database: SqlDatabase): Promise<number> =>
  database.write([], ({ db, now, tables: { resumableUploads: uploads } }) =>
    run(db.delete(uploads).where(lte(uploads.expiresAt, now))),
  )
