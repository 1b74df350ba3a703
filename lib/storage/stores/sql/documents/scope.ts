import { eq, type SQL, sql } from "drizzle-orm"
import type { QueryScope } from "../../../../domain/documents.ts"
import { tagKey } from "../../../../domain/tags.ts"
import { type ChunkScope, type DocumentKind, includesKind } from "../../ports/documents.ts"
import type { Transaction } from "../database.ts"
import { get, type Operation } from "../statements.ts"

const excludedKind = (scope: QueryScope): DocumentKind => (scope === "clips" ? "file" : "clip")

/** Returns true if the scope excludes some of the stored documents. */
function* excludesDocuments({ db, tables: { documents } }: Transaction, scope: QueryScope): Operation<boolean> {
  if (scope === "all") return false
  const excluded = db
    .select({ id: documents.id })
    .from(documents)
    .where(eq(documents.kind, excludedKind(scope)))
  return (yield* get(excluded.limit(1))) !== undefined
}

/** Returns the condition that the chunk with this ID is in scope. It is trivial if no stored document is excluded. */
export function* scopeCondition(tx: Transaction, { scope, filter }: ChunkScope, chunkId: SQL): Operation<SQL> {
  if (filter) return sql`${chunkId} in (${selectChunkIds(tx, { scope, filter })})`
  return (yield* excludesDocuments(tx, scope))
    ? sql`exists (select 1 from document_chunks c join documents d on d.id = c.document_id
        where c.id = ${chunkId} and d.kind <> ${excludedKind(scope)})`
    : sql`1 = 1`
}

/** Returns a query for the IDs of the chunks in scope. */
export const selectChunkIds = ({ dialect }: Transaction, scope: ChunkScope): SQL => {
  const { clipIds, tags, speakers, sections, documents, after, before } = scope.filter ?? {}
  const isIn = (time: SQL): (SQL | false)[] => [
    after !== undefined && sql`${time} >= ${after}`,
    before !== undefined && sql`${time} < ${before}`,
  ]
  const second = (key: string): SQL => sql`cast(${dialect.jsonText(sql`c.metadata`, key)} as double precision)`
  const clips = sql`select c.id from documents d join clips k on k.id = d.source
    join document_chunks c on c.document_id = d.id
    ${sections ? sql`join ${dialect.sectionsTable(sections)} on r.clip_id = d.source` : sql``}
    where ${allOf(
      sql`d.kind = 'clip'`,
      clipIds && dialect.isOneOf(sql`k.id`, clipIds),
      tags && sql`k.id in (select t.clip_id from clip_tags t where ${dialect.isOneOf(sql`t.key`, tags.map(tagKey))})`,
      ...isIn(sql`coalesce(k.published_at, k.created_at)`),
      speakers && dialect.isSpokenBy({ names: sql`k.speakers`, timings: sql`c.timings` }, speakers),
      sections && sql`(${second("start_s")} + ${second("end_s")}) / 2 >= r.start_s`,
      sections && sql`(${second("start_s")} + ${second("end_s")}) / 2 < r.end_s`,
    )}`
  const files = sql`select c.id from documents d join document_chunks c on c.document_id = d.id
    where ${allOf(
      sql`d.kind = 'file'`,
      documents && dialect.isOneOf(sql`d.id`, documents),
      ...isIn(sql`d.written_at`),
    )}`
  const parts = [...(includesKind("clip", scope) ? [clips] : []), ...(includesKind("file", scope) ? [files] : [])]
  return parts.length > 0 ? sql.join(parts, sql` union all `) : sql`select c.id from document_chunks c where 1 = 0`
}

const allOf = (...conditions: readonly (SQL | false | undefined)[]): SQL =>
  sql.join(
    conditions.filter((condition) => condition !== undefined && condition !== false),
    sql` and `,
  )
