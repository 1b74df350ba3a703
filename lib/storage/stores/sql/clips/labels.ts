import { and, asc, count, eq, inArray, min, sql } from "drizzle-orm"
import type { ClipPatch } from "../../../../domain/clips.ts"
import { AppError } from "../../../../domain/errors.ts"
import { MAX_TAGS, type TagCount, tagKey } from "../../../../domain/tags.ts"
import type { ClipFacetCounts } from "../../ports/clips.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { all, get, type Operation, run } from "../statements.ts"

const byName = (a: string, b: string): number => tagKey(a).localeCompare(tagKey(b)) || (a < b ? -1 : 1)

/** Reads the tags of clips, each list in alphabetical order. */
export function* readTags(
  { db, tables: { clipTags } }: Transaction,
  clipIds: readonly string[],
): Operation<Map<string, string[]>> {
  const tags = new Map<string, string[]>(clipIds.map((id) => [id, []]))
  const rows = yield* all(
    db
      .select()
      .from(clipTags)
      .where(inArray(clipTags.clipId, [...clipIds])),
  )
  for (const { clipId, name } of rows) tags.get(clipId)?.push(name)
  for (const list of tags.values()) list.sort(byName)
  return tags
}

/** Returns tags in the spelling that other clips use for them. */
function* applyKnownSpelling({ db, tables: { clipTags } }: Transaction, names: readonly string[]): Operation<string[]> {
  if (names.length === 0) return []
  const rows = yield* all(
    db
      .select({ key: clipTags.key, name: min(clipTags.name) })
      .from(clipTags)
      .where(inArray(clipTags.key, names.map(tagKey)))
      .groupBy(clipTags.key),
  )
  const known = new Map(rows.map(({ key, name }) => [key, name]))
  return names.map((name) => known.get(tagKey(name)) ?? name)
}

type TagChange = Pick<ClipPatch, "tags" | "add_tags" | "remove_tags">

/**
 * Changes the tags of a clip. Removes before it adds. Returns false if nothing has changed.
 * @throws AppError `invalid` if the clip would have too many tags
 */
export function* writeTags(tx: Transaction, clipId: string, change: TagChange): Operation<boolean> {
  const { clipTags } = tx.tables
  const { tags, add_tags = [], remove_tags = [] } = change
  const before = (yield* readTags(tx, [clipId])).get(clipId)!
  const removed = new Set(remove_tags.map(tagKey))
  const kept = (tags ?? before).filter((name) => !removed.has(tagKey(name)))
  const wanted = new Map([...add_tags, ...kept].map((name) => [tagKey(name), name]))
  if (wanted.size > MAX_TAGS)
    throw new AppError("invalid", `tags: the clip would have ${wanted.size} tags, and at most ${MAX_TAGS} are stored.`)
  const had = new Set(before.map(tagKey))
  const deleted = [...had].filter((key) => !wanted.has(key))
  const added = [...wanted].flatMap(([key, name]) => (had.has(key) ? [] : [name]))
  if (deleted.length > 0)
    yield* run(tx.db.delete(clipTags).where(and(eq(clipTags.clipId, clipId), inArray(clipTags.key, deleted))))
  const rows = (yield* applyKnownSpelling(tx, added)).map((name) => ({ clipId, key: tagKey(name), name }))
  if (rows.length > 0) yield* run(tx.db.insert(clipTags).values(rows))
  return deleted.length + added.length > 0
}

function* countTags({ db, tables: { clipTags } }: Transaction): Operation<TagCount[]> {
  const rows = yield* all(
    db
      .select({ name: min(clipTags.name), clips: count() })
      .from(clipTags)
      .groupBy(clipTags.key)
      .orderBy(sql`count(*) desc`, asc(clipTags.key)),
  )
  return rows.map(({ name, clips }) => ({ name: name!, clips: Number(clips) }))
}

export const listTags = (database: SqlDatabase): Promise<TagCount[]> => database.read(countTags)

const sortCounts = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, clips]) => ({ name, clips })).sort((a, b) => b.clips - a.clips || byName(a.name, b.name))

export const countFacets = async (database: SqlDatabase): Promise<ClipFacetCounts> => {
  const { total, favorites, tags, languageRows, speakerRows } = await database.read(function* (tx) {
    const { clips } = tx.tables
    const totals = yield* all(
      tx.db.select({ favorite: clips.favorite, n: count() }).from(clips).groupBy(clips.favorite),
    )
    const languages = tx.db.select({ name: clips.language, n: count() }).from(clips).groupBy(clips.language)
    const named = tx.db
      .select({ speakers: clips.speakers })
      .from(clips)
      .where(sql`cast(${clips.speakers} as text) <> '{}'`)
    return {
      total: totals.reduce((sum, { n }) => sum + Number(n), 0),
      favorites: Number(totals.find(({ favorite }) => favorite)?.n ?? 0),
      tags: yield* countTags(tx),
      languageRows: yield* all(languages),
      speakerRows: yield* all(named),
    }
  })
  const speakers = new Map<string, { readonly name: string; clips: number }>()
  for (const row of speakerRows)
    for (const name of new Map(Object.values(row.speakers).map((name) => [name.toLowerCase(), name])).values()) {
      const key = name.toLowerCase()
      const counted = speakers.get(key) ?? { name, clips: 0 }
      counted.clips++
      speakers.set(key, counted)
    }
  return {
    total,
    favorites,
    tags,
    languages: sortCounts(new Map(languageRows.flatMap(({ name, n }) => (name === null ? [] : [[name, Number(n)]])))),
    speakers: sortCounts(new Map([...speakers.values()].map(({ name, clips }) => [name, clips]))),
  }
}

/** Returns whether a clip is a favorite, or undefined for an unknown clip. */
export function* readFavorite({ db, tables: { clips } }: Transaction, id: string): Operation<boolean | undefined> {
  return (yield* get(db.select({ favorite: clips.favorite }).from(clips).where(eq(clips.id, id))))?.favorite
}
