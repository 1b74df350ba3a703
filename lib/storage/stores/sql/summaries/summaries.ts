import { and, asc, eq, gt, isNull, lte, or, type SQL } from "drizzle-orm"
import { AppError } from "../../../../domain/errors.ts"
import type { ProviderName } from "../../../../domain/jobs/jobs.ts"
import type { ClipSummary, SummaryOptions } from "../../../../domain/summaries.ts"
import type { clipSummaries } from "../../../database/schema/index.ts"
import type { MadeSummary, SummaryClaim } from "../../ports/summaries.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { nameSpeaker } from "../speaker-name.ts"
import { all, get, type Operation, run } from "../statements.ts"
import { readTemplates, type VersionedTemplate } from "./templates.ts"

const QUEUE_LOCK = "summaries"
/** A lease or a wait that is longer was written before the clock was set back. */
const MAX_WAIT_MS = 3_600_000
/** A summary whose workers died this often is given up. */
const MAX_TRIES = 3

type SummaryRow = typeof clipSummaries.$inferSelect
type Made = NonNullable<SummaryRow["madeWith"]>
type Context = {
  readonly clip: { readonly speakers: Readonly<Record<string, string>>; readonly voices: number }
  readonly version: { readonly transcript: number; readonly topics: number }
  readonly templates: ReadonlyMap<string, number>
}

/** Only these depend on the topics; the others are made from the words. */
const USES_TOPICS: readonly SummaryRow["kind"][] = ["minutes", "chapters"]

const findOutdated = (
  { kind, templateId }: SummaryRow,
  made: Made | null,
  { version, templates }: Context,
): ClipSummary["outdated"] => {
  if (made === null) return []
  const template = templates.get(templateId)
  return [
    ...(made.transcript === version.transcript ? [] : (["transcript"] as const)),
    ...(made.topics === version.topics || !USES_TOPICS.includes(kind) ? [] : (["topics"] as const)),
    ...(template === undefined || made.template === template ? [] : (["template"] as const)),
  ]
}

const toSummary = (row: SummaryRow, context: Context): ClipSummary => ({
  clip_id: row.clipId,
  template_id: row.templateId,
  name: row.name,
  kind: row.kind,
  state: row.state,
  error: row.error,
  progress: row.state === "running" ? row.progress : null,
  lines: row.lines.map(({ ownerSpeaker, ...line }) => ({
    ...line,
    speaker: nameSpeaker(line.speaker, context.clip),
    owner: line.owner ?? nameSpeaker(ownerSpeaker, context.clip),
  })),
  dropped: row.dropped,
  provider: row.provider as ProviderName | null,
  model: row.model,
  outdated: findOutdated(row, row.madeWith, context),
  queued_at: new Date(row.queuedAt).toISOString(),
  finished_at: row.finishedAt === null ? null : new Date(row.finishedAt).toISOString(),
})

function* readContext(tx: Transaction, clipId: string): Operation<Context | null> {
  const { clips, clipVersions } = tx.tables
  const found = yield* get(
    tx.db
      .select({
        speakers: clips.speakers,
        voices: clips.voices,
        transcript: clipVersions.transcript,
        topics: clipVersions.topics,
      })
      .from(clips)
      .leftJoin(clipVersions, eq(clipVersions.clipId, clips.id))
      .where(eq(clips.id, clipId)),
  )
  if (!found) return null
  const { speakers, voices, transcript, topics } = found
  const templates = new Map((yield* readTemplates(tx)).map(({ template, version }) => [template.id, version]))
  return { clip: { speakers, voices }, version: { transcript: transcript ?? 0, topics: topics ?? 0 }, templates }
}

const isSummary = ({ tables: { clipSummaries: s } }: Transaction, clipId: string, templateId: string): SQL =>
  and(eq(s.clipId, clipId), eq(s.templateId, templateId))!

/** Writes a request. The lines of the last run stay until the new ones are there. */
function* writeRequest(
  tx: Transaction,
  clipId: string,
  { template, version }: VersionedTemplate,
  options: SummaryOptions,
): Operation<void> {
  const { clipSummaries: s } = tx.tables
  const set = {
    name: template.name,
    kind: template.kind,
    prompt: template.prompt,
    options,
    templateVersion: version,
    queuedAt: tx.now,
    state: "queued" as const,
    error: null,
    owner: null,
    tries: 0,
    notBefore: tx.now,
    leaseUntil: null,
    progress: null,
  }
  yield* run(
    tx.db
      .insert(s)
      .values({ clipId, templateId: template.id, ...set })
      .onConflictDoUpdate({ target: [s.clipId, s.templateId], set }),
  )
}

export const requestSummary = (
  database: SqlDatabase,
  clipId: string,
  templateId: string,
  options: SummaryOptions,
): Promise<ClipSummary | null> =>
  database.write([QUEUE_LOCK, clipLockKey(clipId)], function* (tx) {
    const context = yield* readContext(tx, clipId)
    if (!context) return null
    const found = (yield* readTemplates(tx)).find(({ template }) => template.id === templateId)
    if (!found) throw new AppError("not_found", `unknown template '${templateId}'`)
    yield* writeRequest(tx, clipId, found, options)
    const row = yield* get(
      tx.db
        .select()
        .from(tx.tables.clipSummaries)
        .where(isSummary(tx, clipId, templateId)),
    )
    return toSummary(row!, context)
  })

/**
 * Requests the summaries that run after a job, in the transaction that ends it: those that the job names, or else those whose
 * template runs after every job. Templates that were deleted meanwhile are skipped.
 */
export function* requestAfterJob(
  tx: Transaction,
  clipId: string,
  { summaries, ...options }: SummaryOptions & { readonly summaries?: readonly string[] | undefined },
): Operation<void> {
  for (const found of yield* readTemplates(tx)) {
    const { id, after_jobs } = found.template
    if (summaries?.includes(id) ?? after_jobs) yield* writeRequest(tx, clipId, found, options)
  }
}

export const listSummaries = (database: SqlDatabase, clipId: string): Promise<ClipSummary[] | null> =>
  database.read(function* (tx) {
    const context = yield* readContext(tx, clipId)
    if (!context) return null
    const { clipSummaries: s } = tx.tables
    const rows = yield* all(
      tx.db.select().from(s).where(eq(s.clipId, clipId)).orderBy(asc(s.queuedAt), asc(s.templateId)),
    )
    return rows.map((row) => toSummary(row, context))
  })

export const getSummary = (database: SqlDatabase, clipId: string, templateId: string): Promise<ClipSummary | null> =>
  database.read(function* (tx) {
    const context = yield* readContext(tx, clipId)
    const row = yield* get(
      tx.db
        .select()
        .from(tx.tables.clipSummaries)
        .where(isSummary(tx, clipId, templateId)),
    )
    return row && context ? toSummary(row, context) : null
  })

export const deleteSummary = (database: SqlDatabase, clipId: string, templateId: string): Promise<boolean> =>
  database.write([QUEUE_LOCK], function* (tx) {
    return (yield* run(tx.db.delete(tx.tables.clipSummaries).where(isSummary(tx, clipId, templateId)))) > 0
  })

/** Finds the summaries that no worker makes and whose time has come. */
const isDue = ({ now, tables: { clipSummaries: s } }: Transaction): SQL =>
  or(
    and(eq(s.state, "queued"), or(lte(s.notBefore, now), gt(s.notBefore, now + MAX_WAIT_MS))),
    and(eq(s.state, "running"), or(isNull(s.leaseUntil), lte(s.leaseUntil, now), gt(s.leaseUntil, now + MAX_WAIT_MS))),
  )!

export const hasDueSummary = async (database: SqlDatabase): Promise<boolean> => {
  const row = await database.read((tx) => {
    const { clipSummaries: s } = tx.tables
    return get(tx.db.select({ id: s.clipId }).from(s).where(isDue(tx)).limit(1))
  })
  return row !== undefined
}

export const claimDueSummary = (
  database: SqlDatabase,
  {
    owner,
    leaseMs,
    only,
  }: {
    readonly owner: string
    readonly leaseMs: number
    readonly only?: { readonly clipId: string; readonly templateId: string }
  },
): Promise<SummaryClaim | null> =>
  database.write([QUEUE_LOCK], function* (tx) {
    const { clipSummaries: s } = tx.tables
    const isWanted = only ? isSummary(tx, only.clipId, only.templateId) : undefined
    for (;;) {
      const row = yield* get(
        tx.db
          .select()
          .from(s)
          .where(and(isDue(tx), isWanted))
          .orderBy(asc(s.queuedAt), asc(s.clipId), asc(s.templateId))
          .limit(1),
      )
      if (!row) return null
      const { clipId, templateId, kind, prompt, options } = row
      if (row.tries >= MAX_TRIES) {
        const error = `The worker ended during ${row.tries} attempts. Run it again; if this repeats, look into its log.`
        const set = { state: "error" as const, error, owner: null, leaseUntil: null, progress: null }
        yield* run(
          tx.db
            .update(s)
            .set(set)
            .where(isSummary(tx, clipId, templateId)),
        )
        continue
      }
      const [attempt, tries] = [row.attempt + 1, row.tries + 1]
      const set = { state: "running" as const, owner, attempt, tries, leaseUntil: tx.now + leaseMs, error: null }
      yield* run(
        tx.db
          .update(s)
          .set(set)
          .where(isSummary(tx, clipId, templateId)),
      )
      return { clipId, templateId, owner, attempt, tries, kind, prompt, options }
    }
  })

/** Writes to a summary if the claim still holds. Returns false otherwise. */
const writeHeld = (
  database: SqlDatabase,
  { clipId, templateId, owner, attempt }: SummaryClaim,
  toColumns: (row: SummaryRow, now: number) => Partial<SummaryRow>,
): Promise<boolean> =>
  database.write([QUEUE_LOCK], function* (tx) {
    const { clipSummaries: s } = tx.tables
    const isHeld = and(
      isSummary(tx, clipId, templateId),
      eq(s.owner, owner),
      eq(s.attempt, attempt),
      eq(s.state, "running"),
    )
    const row = yield* get(tx.db.select().from(s).where(isHeld))
    if (!row) return false
    yield* run(tx.db.update(s).set(toColumns(row, tx.now)).where(isHeld))
    return true
  })

export const renewSummary = (
  database: SqlDatabase,
  claim: SummaryClaim,
  leaseMs: number,
  progress: { readonly done: number; readonly total: number } | null,
): Promise<boolean> => writeHeld(database, claim, (_, now) => ({ leaseUntil: now + leaseMs, progress }))

const FREE = { owner: null, leaseUntil: null, progress: null } as const

export const completeSummary = (
  database: SqlDatabase,
  claim: SummaryClaim,
  { lines, dropped, provider, model, made_from }: MadeSummary,
): Promise<boolean> =>
  writeHeld(database, claim, ({ templateVersion }, now) => ({
    ...FREE,
    state: "done",
    error: null,
    lines,
    dropped,
    provider,
    model,
    madeWith: { ...made_from, template: templateVersion },
    finishedAt: now,
  }))

export const failSummary = (
  database: SqlDatabase,
  claim: SummaryClaim,
  { error, retryInMs }: { readonly error: string; readonly retryInMs: number | null },
): Promise<boolean> =>
  writeHeld(database, claim, (_, now) =>
    retryInMs === null
      ? { ...FREE, state: "error", error }
      : { ...FREE, state: "queued", error, notBefore: now + retryInMs },
  )
