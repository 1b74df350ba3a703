import { and, eq, inArray, ne } from "drizzle-orm"
import { AppError } from "../../../../domain/errors.ts"
import { newId } from "../../../../domain/ids.ts"
import { MAX_PEOPLE, type PersonRef, personKey } from "../../../../domain/people/people.ts"
import type { clipPeople } from "../../../database/schema/index.ts"
import { countChange } from "../clips/versions.ts"
import type { Transaction } from "../database.ts"
import { incrementMapRevision } from "../map/map.ts"
import { all, get, type Operation, run } from "../statements.ts"

/**
 * The lock of every write to people, to who speakers are, and to their names in `clips.speakers`. Taken after the lock of a
 * clip and before the first write.
 */
export const PEOPLE_LOCK = "people"

type LinkRow = typeof clipPeople.$inferSelect

/** Finds the person with a name, in capital or small letters. */
export function* findPersonByName(
  { db, dialect, tables: { people } }: Transaction,
  name: string,
): Operation<PersonRef | undefined> {
  const columns = { id: people.id, name: people.name }
  return yield* get(
    db
      .select(columns)
      .from(people)
      .where(eq(dialect.foldText(people.name), personKey(name))),
  )
}

export function* createPerson(tx: Transaction, id: string, name: string): Operation<void> {
  const { people } = tx.tables
  const stored = yield* all(tx.db.select({ id: people.id }).from(people).limit(MAX_PEOPLE))
  if (stored.length >= MAX_PEOPLE)
    throw new AppError("conflict", `There are ${stored.length} people, the maximum. Delete or merge some of them.`)
  yield* run(tx.db.insert(people).values({ id, name, createdAt: tx.now }))
}

/** Returns the link of a speaker to the person whose name the speaker has. */
export function* readLink(
  { db, tables: { clipPeople } }: Transaction,
  clipId: string,
  speaker: string,
): Operation<LinkRow | undefined> {
  const isNamed = and(eq(clipPeople.clipId, clipId), eq(clipPeople.speaker, speaker), ne(clipPeople.state, "rejected"))
  return yield* get(db.select().from(clipPeople).where(isNamed))
}

/** Records who a speaker is or is not, in place of what was recorded about this person. */
export function* writeLink(
  { db, now, tables: { clipPeople } }: Transaction,
  link: Omit<LinkRow, "at" | "score"> & { readonly score?: number },
): Operation<void> {
  const { state, score = null } = link
  yield* run(
    db
      .insert(clipPeople)
      .values({ ...link, score, at: now })
      .onConflictDoUpdate({
        target: [clipPeople.clipId, clipPeople.speaker, clipPeople.personId],
        set: { state, score, at: now },
      }),
  )
}

/** Deletes people who are nobody's name any more, such as one whose only name was misspelled. */
export function* deleteUnnamedPeople(
  { db, tables: { clipPeople, people } }: Transaction,
  ids: readonly string[],
): Operation<void> {
  for (const id of ids) {
    const isNamed = and(eq(clipPeople.personId, id), ne(clipPeople.state, "rejected"))
    if (yield* get(db.select({ id: clipPeople.clipId }).from(clipPeople).where(isNamed).limit(1))) continue
    yield* run(db.delete(people).where(eq(people.id, id)))
  }
}

/** Records that a speaker is not the person whose name the speaker has. Returns the ID of that person. */
export function* rejectLink(tx: Transaction, clipId: string, speaker: string): Operation<string | null> {
  const before = yield* readLink(tx, clipId, speaker)
  if (!before) return null
  yield* writeLink(tx, { clipId, speaker, personId: before.personId, state: "rejected" })
  return before.personId
}

/**
 * Records who the speakers of a clip are, by their new names: the person with a name, who is created if necessary. An empty
 * name means that the speaker is not the person who it was. Returns true if something has changed.
 */
export function* linkNames(
  tx: Transaction,
  clipId: string,
  names: Readonly<Record<string, string>>,
): Operation<boolean> {
  const replaced: string[] = []
  let hasChanged = false
  for (const [speaker, name] of Object.entries(names)) {
    const before = yield* readLink(tx, clipId, speaker)
    const person = name === "" ? undefined : yield* findPersonByName(tx, name)
    if (name !== "" && before && before.personId === person?.id && before.state === "confirmed") continue
    if (before && before.personId !== person?.id) {
      yield* rejectLink(tx, clipId, speaker)
      replaced.push(before.personId)
    }
    hasChanged ||= before !== undefined || name !== ""
    if (name === "") continue
    const personId = person?.id ?? newId()
    if (!person) yield* createPerson(tx, personId, name)
    yield* writeLink(tx, { clipId, speaker, personId, state: "confirmed" })
  }
  yield* deleteUnnamedPeople(tx, replaced)
  return hasChanged
}

/** Sets or removes the names of speakers of a clip and counts the change. */
export function* writeNames(
  tx: Transaction,
  clipId: string,
  names: Readonly<Record<string, string | null>>,
): Operation<void> {
  const { clips } = tx.tables
  const clip = yield* get(tx.db.select({ speakers: clips.speakers }).from(clips).where(eq(clips.id, clipId)))
  if (!clip) return
  const entries = Object.entries({ ...clip.speakers, ...names })
  const speakers = Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
  yield* run(tx.db.update(clips).set({ speakers }).where(eq(clips.id, clipId)))
  yield* countChange(tx, clipId, ["speakers"])
  yield* incrementMapRevision(tx)
}

/** Returns the speakers that have the name of a person, by clip. */
export function* readNamedSpeakers(
  { db, tables: { clipPeople } }: Transaction,
  personIds: readonly string[],
): Operation<Map<string, string[]>> {
  const rows = yield* all(
    db
      .select({ clipId: clipPeople.clipId, speaker: clipPeople.speaker })
      .from(clipPeople)
      .where(and(inArray(clipPeople.personId, [...personIds]), ne(clipPeople.state, "rejected"))),
  )
  const speakers = new Map<string, string[]>()
  for (const { clipId, speaker } of rows) speakers.set(clipId, [...(speakers.get(clipId) ?? []), speaker])
  return speakers
}
