import { isDeepStrictEqual } from "node:util"
import { and, asc, count, eq, getTableColumns, gte, inArray, isNull, lt, notInArray, type SQL, sql } from "drizzle-orm"
import { CLIP_PARTS, type IfMatch } from "../../../../domain/clip-version.ts"
import type { Clip, ClipEntry, ClipPatch, ClipsQuery } from "../../../../domain/clips.ts"
import { type LabelChange, tagKey } from "../../../../domain/tags.ts"
import { splitWords } from "../../../../domain/text/tokens.ts"
import { applyTopicEdits } from "../../../../domain/topics/apply-topic-edits.ts"
import type { StoredTopicEdit } from "../../../../domain/topics/topic-edits.ts"
import type { TopicTree } from "../../../../domain/topics/topic-tree.ts"
import type { clips, topics } from "../../../database/schema/index.ts"
import type { StoredClipList, StoredClipsQuery } from "../../ports/clips.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { tryPrepareLibrary } from "../library.ts"
import { incrementMapRevision } from "../map/map.ts"
import { isAfter, isCreatedIn, type Order, orderBy, splitPage } from "../pagination.ts"
import { linkNames, PEOPLE_LOCK } from "../people/links.ts"
import { all, get, type Operation, run } from "../statements.ts"
import { listTopicEdits, toFlatTopic } from "../topics/topic-rows.ts"
import { readFavorite, readTags, writeTags } from "./labels.ts"
import { checkVersion, countChange, readEtag } from "./versions.ts"

type ClipRow = typeof clips.$inferSelect
type TopicRow = typeof topics.$inferSelect

const toEntry = (clip: ClipRow, topics: readonly TopicRow[], tags: string[]): ClipEntry => ({
  id: clip.id,
  title: clip.title,
  source_url: clip.sourceUrl,
  file_path: clip.filePath,
  created_at: new Date(clip.createdAt).toISOString(),
  duration_s: clip.durationS,
  language: clip.language,
  topics: topics.map(toFlatTopic),
  speakers: clip.speakers,
  voices: clip.voices,
  tags,
  favorite: clip.favorite,
  speech_engine: clip.speechEngine,
  whisper_model: clip.whisperModel,
  diarized: clip.diarized,
  estimated_times: clip.estimatedTimes,
  transcript_notes: clip.transcriptNotes,
  channel: clip.channel,
  published_at: clip.publishedAt === null ? null : new Date(clip.publishedAt).toISOString(),
  provider: clip.provider,
  llm_model: clip.llmModel,
  embed_model: clip.embedModel,
})

type ClipRows = {
  readonly clip: ClipRow
  readonly words: string | undefined
  readonly topics: readonly TopicRow[]
  readonly tags: string[]
  readonly edits: readonly StoredTopicEdit[]
  readonly etag: string
}

function* readClipRows(tx: Transaction, id: string): Operation<ClipRows | null> {
  const { clips, topics, transcripts } = tx.tables
  const clip = yield* get(tx.db.select().from(clips).where(eq(clips.id, id)))
  if (!clip) return null
  return {
    clip,
    words: (yield* get(tx.db.select().from(transcripts).where(eq(transcripts.clipId, id))))?.words,
    topics: yield* all(tx.db.select().from(topics).where(eq(topics.clipId, id)).orderBy(asc(topics.ordinal))),
    tags: (yield* readTags(tx, [id])).get(id)!,
    edits: yield* listTopicEdits(tx, id),
    etag: yield* readEtag(tx, id),
  }
}

/** Builds a clip from its rows. Parsing a transcript takes long, so this runs outside the transaction. */
const toClip = ({ clip, words, topics, tags, edits, etag }: ClipRows): Clip => {
  const tree: TopicTree = clip.tree ?? { topics: [] }
  return {
    ...toEntry(clip, topics, tags),
    transcription: words === undefined ? [] : JSON.parse(words),
    tree: applyTopicEdits(tree, edits).tree,
    etag,
  }
}

export const getClip = async (database: SqlDatabase, id: string): Promise<Clip | null> => {
  const rows = await database.read((tx) => readClipRows(tx, id))
  return rows && toClip(rows)
}

export const getClipTitle = async (database: SqlDatabase, id: string): Promise<string | null> => {
  const row = await database.read(({ db, tables: { clips } }) =>
    get(db.select({ title: clips.title }).from(clips).where(eq(clips.id, id))),
  )
  return row?.title ?? null
}

/** The number of characters that titles are sorted by. A cursor contains them. */
const SORTED_TITLE_CHARS = 100

const toOrder = ({ dialect, tables: { clips } }: Transaction, sort: ClipsQuery["sort"] = "-created_at"): Order => {
  const order = { name: sort, id: clips.id, isDescending: sort.startsWith("-") }
  if (sort.endsWith("duration_s")) return { ...order, type: "real", column: clips.durationS }
  if (sort.endsWith("title"))
    return {
      ...order,
      type: "text",
      column: sql`substr(${dialect.foldText(clips.title)}, 1, ${sql.raw(String(SORTED_TITLE_CHARS))})`,
    }
  return { ...order, type: "integer", column: clips.createdAt, name: sort === "-created_at" ? undefined : sort }
}

/** Finds the clips that have all of these tags. */
const hasTags = ({ db, tables: { clips, clipTags } }: Transaction, tags: string): SQL | undefined =>
  and(
    ...tags
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "")
      .map((tag) =>
        inArray(
          clips.id,
          db
            .select({ id: clipTags.clipId })
            .from(clipTags)
            .where(eq(clipTags.key, tagKey(tag))),
        ),
      ),
  )

const isInState = ({ db, tables: { clips, jobs } }: Transaction, state: NonNullable<ClipsQuery["state"]>): SQL => {
  const clipId = sql<string>`coalesce(${jobs.resultSessionId}, ${jobs.sessionId})`
  const active = db
    .select({ id: clipId })
    .from(jobs)
    .where(inArray(jobs.status, ["queued", "running"]))
  const failedAt = sql`max(case when ${jobs.status} = 'error' then ${jobs.createdAt} end)`
  const failed = db.select({ id: clipId }).from(jobs).groupBy(clipId).having(sql`${failedAt} = max(${jobs.createdAt})`)
  if (state === "processing") return inArray(clips.id, active)
  if (state === "failed") return inArray(clips.id, failed)
  return and(notInArray(clips.id, active), notInArray(clips.id, failed))!
}

const matchesQuery = (
  tx: Transaction,
  {
    ids,
    q,
    speaker,
    language,
    tag,
    favorite,
    state,
    min_duration_s: min,
    max_duration_s: max,
    ...created
  }: Omit<StoredClipsQuery, "limit" | "cursor" | "sort">,
): SQL | undefined => {
  const {
    dialect,
    tables: { clips },
  } = tx
  return and(
    ids ? dialect.isOneOf(clips.id, ids) : undefined,
    q ? dialect.isFoundClip(clips.id, splitWords(q)) : undefined,
    speaker ? dialect.hasJsonValue(clips.speakers, speaker) : undefined,
    language ? eq(clips.language, language) : undefined,
    tag ? hasTags(tx, tag) : undefined,
    favorite ? eq(clips.favorite, favorite === "true") : undefined,
    min === undefined ? undefined : gte(clips.durationS, min),
    max === undefined ? undefined : lt(clips.durationS, max),
    state ? isInState(tx, state) : undefined,
    isCreatedIn(clips.createdAt, created),
  )
}

export const listClips = async (
  database: SqlDatabase,
  { limit, cursor, sort, ...filters }: StoredClipsQuery,
): Promise<StoredClipList> => {
  if (filters.q) await tryPrepareLibrary(database)
  const { page, next, topicRows, tags, total } = await database.read(function* (tx) {
    const { clips, topics } = tx.tables
    const order = toOrder(tx, sort)
    const condition = matchesQuery(tx, filters)
    const rows = yield* all(
      tx.db
        .select({
          id: clips.id,
          clip: getTableColumns(clips),
          value: sql<number | string>`${order.column}`.mapWith(order.type === "text" ? String : Number),
        })
        .from(clips)
        .where(and(condition, isAfter(cursor, order)))
        .orderBy(...orderBy(order))
        .limit(limit + 1),
    )
    const { page, next } = splitPage(rows, limit, order)
    const ids = page.map((row) => row.id)
    const ofClips = tx.db.select().from(topics).where(inArray(topics.clipId, ids)).orderBy(asc(topics.ordinal))
    const countAll = tx.db.select({ n: count() }).from(clips).where(condition)
    return {
      page,
      next,
      topicRows: yield* all(ofClips),
      tags: yield* readTags(tx, ids),
      total: cursor === undefined ? Number((yield* get(countAll))?.n ?? 0) : undefined,
    }
  })
  const topicsByClip = new Map<string, TopicRow[]>(page.map((row) => [row.id, []]))
  for (const topic of topicRows) topicsByClip.get(topic.clipId)?.push(topic)
  return {
    clips: page.map(({ id, clip }) => toEntry(clip, topicsByClip.get(id)!, tags.get(id)!)),
    ...(total !== undefined && { total }),
    ...next,
  }
}

const dropEmptyNames = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).filter(([, name]) => name !== ""))

export const updateClip = async (
  database: SqlDatabase,
  id: string,
  { title, speakers, ...labels }: ClipPatch,
  ifMatch?: IfMatch,
): Promise<Clip | null> => {
  const rows = await database.write(speakers ? [clipLockKey(id), PEOPLE_LOCK] : [clipLockKey(id)], function* (tx) {
    const { clips, documents } = tx.tables
    const columns = { title: clips.title, speakers: clips.speakers }
    const before = yield* get(tx.db.select(columns).from(clips).where(eq(clips.id, id)))
    if (!before) return null
    yield* checkVersion(tx, id, ifMatch, CLIP_PARTS)
    const after = {
      title: title ?? before.title,
      speakers: speakers ? dropEmptyNames({ ...before.speakers, ...speakers }) : before.speakers,
    }
    const isLinked = speakers !== undefined && (yield* linkNames(tx, id, speakers))
    const changed = (["title", "speakers"] as const).filter(
      (part) => !isDeepStrictEqual(before[part], after[part]) || (part === "speakers" && isLinked),
    )
    if (changed.length > 0) {
      yield* run(tx.db.update(clips).set(after).where(eq(clips.id, id)))
      yield* countChange(tx, id, changed)
      yield* incrementMapRevision(tx)
    }
    yield* writeLabels(tx, id, labels)
    // Its chunks contain the title. The next question indexes the clip again.
    if (title !== undefined && title !== before.title)
      yield* run(tx.db.delete(documents).where(and(eq(documents.kind, "clip"), eq(documents.source, id))))
    return yield* readClipRows(tx, id)
  })
  return rows && toClip(rows)
}

export const attachRecording = (database: SqlDatabase, id: string, address: string): Promise<boolean> =>
  database.write([clipLockKey(id)], function* (tx) {
    const { clips } = tx.tables
    const isWithout = and(eq(clips.id, id), isNull(clips.filePath))
    if ((yield* run(tx.db.update(clips).set({ filePath: address }).where(isWithout))) === 0) return false
    yield* countChange(tx, id, ["transcript"])
    return true
  })

type LabelPatch = Omit<ClipPatch, "title" | "speakers">

/** Changes the labels of a clip that exists. Returns false if nothing has changed. */
function* writeLabels(tx: Transaction, id: string, { favorite, ...tags }: LabelPatch): Operation<boolean> {
  const { clips } = tx.tables
  const isMarked = favorite !== undefined && favorite !== (yield* readFavorite(tx, id))
  if (isMarked) yield* run(tx.db.update(clips).set({ favorite }).where(eq(clips.id, id)))
  const hasChanged = (yield* writeTags(tx, id, tags)) || isMarked
  if (hasChanged) yield* countChange(tx, id, ["tags"])
  return hasChanged
}

export const updateLabels = (database: SqlDatabase, id: string, change: LabelChange): Promise<boolean | null> =>
  database.write([clipLockKey(id)], function* (tx) {
    if ((yield* readFavorite(tx, id)) === undefined) return null
    return yield* writeLabels(tx, id, change)
  })
