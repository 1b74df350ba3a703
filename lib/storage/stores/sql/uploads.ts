import { and, eq, isNotNull, like } from "drizzle-orm"
import type { SqlDatabase } from "./database.ts"
import { all } from "./statements.ts"

export const listUploadAddresses = (database: SqlDatabase, hash = ""): Promise<string[]> =>
  database.read(function* ({ db, dialect, tables: { jobs, clips, documents, resumableUploads } }) {
    const pattern = `%${hash}%`
    const path = dialect.jsonText(jobs.source, "path")
    const ofJobs = yield* all(db.select({ path }).from(jobs).where(like(path, pattern)))
    const ofClips = yield* all(
      db
        .select({ path: clips.filePath })
        .from(clips)
        .where(and(isNotNull(clips.filePath), like(clips.filePath, pattern))),
    )
    const ofDocuments = yield* all(
      db
        .select({ path: documents.source })
        .from(documents)
        .where(and(eq(documents.kind, "file"), like(documents.source, pattern))),
    )
    const ofUploads = yield* all(
      db
        .select({ path: resumableUploads.address })
        .from(resumableUploads)
        .where(and(isNotNull(resumableUploads.address), like(resumableUploads.address, pattern))),
    )
    return [...new Set([...ofJobs, ...ofClips, ...ofDocuments, ...ofUploads].flatMap((row) => row.path ?? []))]
  })
