import { and, asc, count, eq, exists, inArray, ne, sql } from "drizzle-orm"
import { AppError } from "../../../../domain/errors.ts"
import type {
  PeopleList,
  PeopleQuery,
  Person,
  PersonClip,
  PersonClipList,
  SpeakerRef,
} from "../../../../domain/people/people.ts"
import type { SearchQuery, WordsHit } from "../../../../domain/search.ts"
import type { people } from "../../../database/schema/index.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { searchWordsOfPerson, tryPrepareLibrary } from "../library.ts"
import { isAfter, newestFirst, type Order, orderBy, splitPage } from "../pagination.ts"
import { all, get, type Operation, run } from "../statements.ts"
import { toFlatTopic } from "../topics/topic-rows.ts"
import {
  createPerson,
  findPersonByName,
  PEOPLE_LOCK,
  readLink,
  readNamedSpeakers,
  writeLink,
  writeNames,
} from "./links.ts"

type PersonRow = typeof people.$inferSelect

const unknownPerson = (id: string): AppError => new AppError("not_found", `unknown person '${id}'`)

/** Counts the clips, the seconds of speech and the embeddings of people. */
function* describePeople(tx: Transaction, rows: readonly PersonRow[]): Operation<Person[]> {
  const { clipPeople, findables, speakerEmbeddings } = tx.tables
  const isTheirs = and(
    inArray(
      clipPeople.personId,
      rows.map(({ id }) => id),
    ),
    ne(clipPeople.state, "rejected"),
  )
  const clips = sql<number>`count(distinct ${clipPeople.clipId})`
  const counted = tx.db.select({ id: clipPeople.personId, n: clips }).from(clipPeople).where(isTheirs)
  const spoken = tx.db
    .select({ id: clipPeople.personId, n: sql<number>`sum(${findables.seconds})` })
    .from(clipPeople)
    .innerJoin(
      findables,
      and(
        eq(findables.clipId, clipPeople.clipId),
        eq(findables.kind, "words"),
        eq(findables.speaker, clipPeople.speaker),
      ),
    )
    .where(isTheirs)
  const embedded = tx.db
    .select({ id: clipPeople.personId, n: count() })
    .from(clipPeople)
    .innerJoin(
      speakerEmbeddings,
      and(eq(speakerEmbeddings.clipId, clipPeople.clipId), eq(speakerEmbeddings.speaker, clipPeople.speaker)),
    )
    .where(and(isTheirs, eq(clipPeople.state, "confirmed")))
  const byPerson = new Map<string, [number, number, number]>(rows.map(({ id }) => [id, [0, 0, 0]]))
  for (const [i, query] of [counted, spoken, embedded].entries())
    for (const { id, n } of yield* all(query.groupBy(clipPeople.personId))) byPerson.get(id)![i] = Number(n)
  return rows.map(({ id, name, createdAt }) => {
    const [clips, speaking_s, embeddings] = byPerson.get(id)!
    return { id, name, created_at: new Date(createdAt).toISOString(), clips, speaking_s, embeddings }
  })
}

function* readPerson(tx: Transaction, id: string): Operation<Person | null> {
  const { people } = tx.tables
  const row = yield* get(tx.db.select().from(people).where(eq(people.id, id)))
  return row ? (yield* describePeople(tx, [row]))[0]! : null
}

/** The number of characters that names are sorted by. A cursor contains them. */
const SORTED_NAME_CHARS = 100

const toOrder = ({ dialect, tables: { people } }: Transaction, sort: PeopleQuery["sort"] = "name"): Order => {
  const order = { name: sort === "name" ? undefined : sort, id: people.id, isDescending: sort.startsWith("-") }
  if (sort.endsWith("created_at")) return { ...order, type: "integer", column: people.createdAt }
  const column = sql`substr(${dialect.foldText(people.name)}, 1, ${sql.raw(String(SORTED_NAME_CHARS))})`
  return { ...order, type: "text", column }
}

export const listPeople = async (
  database: SqlDatabase,
  { limit, cursor, q, sort }: PeopleQuery,
): Promise<PeopleList> => {
  await tryPrepareLibrary(database)
  return database.read(function* (tx) {
    const { people } = tx.tables
    const order = toOrder(tx, sort)
    const condition = q ? tx.dialect.containsText(people.name, q) : undefined
    const value = sql<number | string>`${order.column}`.mapWith(order.type === "text" ? String : Number)
    const rows = yield* all(
      tx.db
        .select({ id: people.id, row: people, value })
        .from(people)
        .where(and(condition, isAfter(cursor, order)))
        .orderBy(...orderBy(order))
        .limit(limit + 1),
    )
    const { page, next } = splitPage(rows, limit, order)
    const described = yield* describePeople(
      tx,
      page.map(({ row }) => row),
    )
    if (cursor !== undefined) return { people: described, ...next }
    const total = Number((yield* get(tx.db.select({ n: count() }).from(people).where(condition)))?.n ?? 0)
    return { people: described, total, ...next }
  })
}

export const getPerson = async (database: SqlDatabase, id: string): Promise<Person | null> => {
  await tryPrepareLibrary(database)
  return database.read((tx) => readPerson(tx, id))
}

const nameTaken = (name: string, advice: string): AppError =>
  new AppError("conflict", `There is a person with the name '${name}' already. ${advice}`)

export const renamePerson = (database: SqlDatabase, id: string, name: string): Promise<Person | null> =>
  database.write([PEOPLE_LOCK], function* (tx) {
    const { people } = tx.tables
    const before = yield* get(tx.db.select().from(people).where(eq(people.id, id)))
    if (!before) return null
    const other = yield* findPersonByName(tx, name)
    if (other && other.id !== id) throw nameTaken(other.name, "Merge the two people, or choose another name.")
    if (name !== before.name) {
      yield* run(tx.db.update(people).set({ name }).where(eq(people.id, id)))
      for (const [clipId, speakers] of yield* readNamedSpeakers(tx, [id]))
        yield* writeNames(tx, clipId, Object.fromEntries(speakers.map((speaker) => [speaker, name])))
    }
    return yield* readPerson(tx, id)
  })

export const deletePerson = (database: SqlDatabase, id: string): Promise<boolean> =>
  database.write([PEOPLE_LOCK], function* (tx) {
    const { people, speakerEmbeddings } = tx.tables
    for (const [clipId, speakers] of yield* readNamedSpeakers(tx, [id])) {
      const isTheirs = and(eq(speakerEmbeddings.clipId, clipId), inArray(speakerEmbeddings.speaker, speakers))
      yield* run(tx.db.delete(speakerEmbeddings).where(isTheirs))
      yield* writeNames(tx, clipId, Object.fromEntries(speakers.map((speaker) => [speaker, null])))
    }
    return (yield* run(tx.db.delete(people).where(eq(people.id, id)))) > 0
  })

/** Moves the links of one person to another. What speakers are counts more than what they are not. */
function* moveLinks(tx: Transaction, from: string, into: string): Operation<void> {
  const { clipPeople } = tx.tables
  const rows = yield* all(tx.db.select().from(clipPeople).where(eq(clipPeople.personId, from)))
  for (const { clipId, speaker, state, score } of rows) {
    const isThere = and(eq(clipPeople.clipId, clipId), eq(clipPeople.speaker, speaker), eq(clipPeople.personId, into))
    if (state === "rejected" && (yield* get(tx.db.select().from(clipPeople).where(isThere)))) continue
    yield* writeLink(tx, { clipId, speaker, personId: into, state, ...(score !== null && { score }) })
  }
}

export const mergePeople = (database: SqlDatabase, id: string, from: readonly string[]): Promise<Person | null> =>
  database.write([PEOPLE_LOCK], function* (tx) {
    const { people } = tx.tables
    const person = yield* get(tx.db.select().from(people).where(eq(people.id, id)))
    if (!person) return null
    const others = [...new Set(from)]
    if (others.includes(id)) throw new AppError("invalid", "from: must not contain the person itself")
    for (const other of others) {
      if (!(yield* get(tx.db.select({ id: people.id }).from(people).where(eq(people.id, other)))))
        throw unknownPerson(other)
      const named = yield* readNamedSpeakers(tx, [other])
      yield* moveLinks(tx, other, id)
      yield* run(tx.db.delete(people).where(eq(people.id, other)))
      for (const [clipId, speakers] of named)
        yield* writeNames(tx, clipId, Object.fromEntries(speakers.map((speaker) => [speaker, person.name])))
    }
    return yield* readPerson(tx, id)
  })

export const splitPerson = (
  database: SqlDatabase,
  id: string,
  newId: string,
  name: string,
  speakers: readonly SpeakerRef[],
): Promise<Person | null> =>
  database.write([PEOPLE_LOCK], function* (tx) {
    const { people } = tx.tables
    if (!(yield* get(tx.db.select({ id: people.id }).from(people).where(eq(people.id, id))))) return null
    const taken = yield* findPersonByName(tx, name)
    if (taken) throw nameTaken(taken.name, "Choose another name.")
    yield* createPerson(tx, newId, name)
    for (const [i, { clip_id: clipId, speaker }] of speakers.entries()) {
      const link = yield* readLink(tx, clipId, speaker)
      if (link?.personId === newId) continue
      if (link?.personId !== id)
        throw new AppError("invalid", `speakers[${i}]: speaker '${speaker}' of clip '${clipId}' is not this person`)
      yield* writeLink(tx, { clipId, speaker, personId: id, state: "rejected" })
      yield* writeLink(tx, { clipId, speaker, personId: newId, state: "confirmed" })
      yield* writeNames(tx, clipId, { [speaker]: name })
    }
    return yield* readPerson(tx, newId)
  })

export const listPersonClips = async (
  database: SqlDatabase,
  id: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<PersonClipList | null> => {
  await tryPrepareLibrary(database)
  return database.read(function* (tx) {
    const { clips, clipPeople, findables, people, topics } = tx.tables
    if (!(yield* get(tx.db.select({ id: people.id }).from(people).where(eq(people.id, id))))) return null
    const isTheirs = and(eq(clipPeople.personId, id), ne(clipPeople.state, "rejected"))
    const order = newestFirst(clips)
    const { title, createdAt, durationS } = clips
    const rows = yield* all(
      tx.db
        .select({ id: clips.id, title, createdAt, durationS, value: createdAt })
        .from(clips)
        .where(
          and(
            exists(
              tx.db
                .select({ id: clipPeople.clipId })
                .from(clipPeople)
                .where(and(isTheirs, eq(clipPeople.clipId, clips.id))),
            ),
            isAfter(cursor, order),
          ),
        )
        .orderBy(...orderBy(order))
        .limit(limit + 1),
    )
    const { page, next } = splitPage(rows, limit, order)
    const onPage = inArray(
      clipPeople.clipId,
      page.map((row) => row.id),
    )
    const { clipId, speaker, state, score } = clipPeople
    const spoken = sql<number>`coalesce(sum(${findables.seconds}), 0)`.mapWith(Number)
    const isSpoken = and(
      eq(findables.clipId, clipId),
      eq(findables.kind, "words"),
      eq(findables.speaker, clipPeople.speaker),
    )
    const links = yield* all(
      tx.db
        .select({ clipId, speaker, state, score, speaking_s: spoken })
        .from(clipPeople)
        .leftJoin(findables, isSpoken)
        .where(and(isTheirs, onPage))
        .groupBy(clipId, speaker, state, score)
        .orderBy(asc(speaker)),
    )
    const led = yield* all(
      tx.db
        .select({ topic: topics })
        .from(topics)
        .innerJoin(clipPeople, and(eq(topics.clipId, clipId), eq(topics.speaker, speaker)))
        .where(and(isTheirs, onPage, eq(topics.level, 2)))
        .orderBy(asc(topics.ordinal)),
    )
    const toClip = ({ id, title, createdAt, durationS }: (typeof page)[number]): PersonClip => ({
      clip_id: id,
      clip_title: title,
      created_at: new Date(createdAt).toISOString(),
      duration_s: durationS,
      speakers: links.flatMap(({ clipId, state, ...link }) =>
        clipId === id && state !== "rejected" ? [{ ...link, state }] : [],
      ),
      topics: led.filter(({ topic }) => topic.clipId === id).map(({ topic }) => toFlatTopic(topic)),
    })
    return { clips: page.map(toClip), ...next }
  })
}

export const searchPersonWords = async (
  database: SqlDatabase,
  id: string,
  query: SearchQuery,
): Promise<WordsHit[] | null> => {
  const { people } = await database.read(function* ({ db, tables: { people } }) {
    return { people: yield* get(db.select({ id: people.id }).from(people).where(eq(people.id, id))) }
  })
  return people ? searchWordsOfPerson(database, id, query) : null
}
