import { and, asc, eq, ne, sql } from "drizzle-orm"
import type { IfMatch } from "../../../../domain/clip-version.ts"
import { AppError } from "../../../../domain/errors.ts"
import type { ClipSpeakerPatch } from "../../../../domain/people/people.ts"
import type { speakerEmbeddings } from "../../../database/schema/index.ts"
import type { ClipPeople, PersonEmbedding, StoredEmbedding } from "../../ports/people.ts"
import { checkVersion, countChange } from "../clips/versions.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { decodeVector } from "../map/vectors.ts"
import { all, get, type Operation, run } from "../statements.ts"
import { deleteUnnamedPeople, linkNames, PEOPLE_LOCK, readLink, rejectLink, writeLink, writeNames } from "./links.ts"

const toEmbedding = (row: typeof speakerEmbeddings.$inferSelect): StoredEmbedding => ({
  clip_id: row.clipId,
  speaker: row.speaker,
  embedder: row.embedder,
  vector: decodeVector(row.vector),
  seconds: row.seconds,
})

export const getClipPeople = async (database: SqlDatabase, clipId: string): Promise<ClipPeople | null> => {
  const found = await database.read(function* (tx) {
    const { clips, clipPeople, people, speakerEmbeddings } = tx.tables
    const clip = yield* get(tx.db.select({ speakers: clips.speakers }).from(clips).where(eq(clips.id, clipId)))
    if (!clip) return null
    const links = tx.db
      .select({ link: clipPeople, name: people.name })
      .from(clipPeople)
      .innerJoin(people, eq(people.id, clipPeople.personId))
      .where(eq(clipPeople.clipId, clipId))
      .orderBy(asc(clipPeople.speaker), asc(people.name))
    const embeddings = tx.db.select().from(speakerEmbeddings).where(eq(speakerEmbeddings.clipId, clipId))
    return { names: clip.speakers, links: yield* all(links), embeddings: yield* all(embeddings) }
  })
  return (
    found && {
      names: found.names,
      links: found.links.map(({ link: { speaker, personId, state, score }, name }) => ({
        speaker,
        person: { id: personId, name },
        state,
        score,
      })),
      embeddings: found.embeddings.map(toEmbedding),
    }
  )
}

function* requirePerson({ db, tables: { people } }: Transaction, id: string): Operation<string> {
  const row = yield* get(db.select({ name: people.name }).from(people).where(eq(people.id, id)))
  if (!row) throw new AppError("not_found", `unknown person '${id}'`)
  return row.name
}

/** Names a speaker after a person. A person whom it replaces is not suggested again. */
function* namePerson(tx: Transaction, clipId: string, speaker: string, personId: string): Operation<void> {
  const name = yield* requirePerson(tx, personId)
  const before = yield* readLink(tx, clipId, speaker)
  if (before && before.personId !== personId) yield* rejectLink(tx, clipId, speaker)
  yield* writeLink(tx, { clipId, speaker, personId, state: "confirmed" })
  yield* writeNames(tx, clipId, { [speaker]: name })
  if (before && before.personId !== personId) yield* deleteUnnamedPeople(tx, [before.personId])
}

/** Declines a person for a speaker, who loses the name if it is the one of this person. */
function* declinePerson(tx: Transaction, clipId: string, speaker: string, personId: string): Operation<void> {
  yield* requirePerson(tx, personId)
  const before = yield* readLink(tx, clipId, speaker)
  yield* writeLink(tx, { clipId, speaker, personId, state: "rejected" })
  if (before?.personId !== personId) return yield* countChange(tx, clipId, ["speakers"])
  yield* writeNames(tx, clipId, { [speaker]: null })
  yield* deleteUnnamedPeople(tx, [personId])
}

export const editSpeaker = (
  database: SqlDatabase,
  clipId: string,
  speaker: string,
  { name, person_id, rejected_person_id }: ClipSpeakerPatch,
  ifMatch?: IfMatch,
): Promise<boolean> =>
  database.write([clipLockKey(clipId), PEOPLE_LOCK], function* (tx) {
    const { clips } = tx.tables
    if (!(yield* get(tx.db.select({ id: clips.id }).from(clips).where(eq(clips.id, clipId))))) return false
    yield* checkVersion(tx, clipId, ifMatch, ["speakers"])
    if (typeof person_id === "string") yield* namePerson(tx, clipId, speaker, person_id)
    else if (rejected_person_id !== undefined) yield* declinePerson(tx, clipId, speaker, rejected_person_id)
    else {
      yield* linkNames(tx, clipId, { [speaker]: name ?? "" })
      yield* writeNames(tx, clipId, { [speaker]: name ?? null })
    }
    return true
  })

export const listEmbedders = async (database: SqlDatabase, personId: string): Promise<string[]> => {
  const rows = await database.read(({ db, tables: { clipPeople, speakerEmbeddings } }) =>
    all(
      db
        .select({ embedder: speakerEmbeddings.embedder })
        .from(speakerEmbeddings)
        .innerJoin(
          clipPeople,
          and(eq(clipPeople.clipId, speakerEmbeddings.clipId), eq(clipPeople.speaker, speakerEmbeddings.speaker)),
        )
        .where(and(eq(clipPeople.personId, personId), eq(clipPeople.state, "confirmed")))
        .groupBy(speakerEmbeddings.embedder)
        .orderBy(asc(speakerEmbeddings.embedder)),
    ),
  )
  return rows.map(({ embedder }) => embedder)
}

export const listPersonEmbeddings = async (database: SqlDatabase, embedder: string): Promise<PersonEmbedding[]> =>
  database.read((tx) => readPersonEmbeddings(tx, embedder))

/** Reads the embeddings of confirmed speakers with their people. */
export function* readPersonEmbeddings(
  { db, tables: { clipPeople, people, speakerEmbeddings } }: Transaction,
  embedder: string,
): Operation<PersonEmbedding[]> {
  const rows = yield* all(
    db
      .select({ embedding: speakerEmbeddings, person: { id: people.id, name: people.name } })
      .from(speakerEmbeddings)
      .innerJoin(
        clipPeople,
        and(eq(clipPeople.clipId, speakerEmbeddings.clipId), eq(clipPeople.speaker, speakerEmbeddings.speaker)),
      )
      .innerJoin(people, eq(people.id, clipPeople.personId))
      .where(and(eq(speakerEmbeddings.embedder, embedder), eq(clipPeople.state, "confirmed")))
      .orderBy(asc(people.name), asc(speakerEmbeddings.clipId), asc(speakerEmbeddings.speaker)),
  )
  return rows.map(({ embedding, person }) => ({ ...toEmbedding(embedding), person }))
}

export const listUnnamedEmbeddings = async (
  database: SqlDatabase,
  embedder: string,
  personId: string,
): Promise<(StoredEmbedding & { readonly clipTitle: string })[]> => {
  const rows = await database.read(({ db, tables: { clips, clipPeople, speakerEmbeddings } }) => {
    const isKnown = sql`exists (select 1 from ${clipPeople} where ${clipPeople.clipId} = ${speakerEmbeddings.clipId}
      and ${clipPeople.speaker} = ${speakerEmbeddings.speaker}
      and (${clipPeople.state} <> 'rejected' or ${clipPeople.personId} = ${personId}))`
    return all(
      db
        .select({ embedding: speakerEmbeddings, clipTitle: clips.title })
        .from(speakerEmbeddings)
        .innerJoin(clips, eq(clips.id, speakerEmbeddings.clipId))
        .where(and(eq(speakerEmbeddings.embedder, embedder), sql`not ${isKnown}`))
        .orderBy(asc(speakerEmbeddings.clipId), asc(speakerEmbeddings.speaker)),
    )
  })
  return rows.map(({ embedding, clipTitle }) => ({ ...toEmbedding(embedding), clipTitle }))
}

export const deleteEmbeddings = (database: SqlDatabase): Promise<number> =>
  database.write([PEOPLE_LOCK], ({ db, tables: { speakerEmbeddings } }) =>
    run(db.delete(speakerEmbeddings).where(ne(speakerEmbeddings.embedder, ""))),
  )
