import { and, eq } from "drizzle-orm"
import { buildProfiles, recognizeSpeakers } from "../../../../domain/people/recognize.ts"
import type { SpeakerEmbeddings } from "../../../../domain/people/speaker-embeddings.ts"
import type { Transaction } from "../database.ts"
import { encodeVector } from "../map/vectors.ts"
import { all, type Operation, run } from "../statements.ts"
import { writeLink, writeNames } from "./links.ts"
import { readPersonEmbeddings } from "./speakers.ts"

function* readLinks({ db, tables: { clipPeople } }: Transaction, clipId: string) {
  return yield* all(db.select().from(clipPeople).where(eq(clipPeople.clipId, clipId)))
}

/** Removes the names that were given automatically for the previous transcript, whose speakers may have been others. */
function* removeAutomaticNames(tx: Transaction, clipId: string): Operation<void> {
  const { clipPeople } = tx.tables
  const automatic = (yield* readLinks(tx, clipId)).filter(({ state }) => state === "automatic")
  if (automatic.length === 0) return
  yield* run(tx.db.delete(clipPeople).where(and(eq(clipPeople.clipId, clipId), eq(clipPeople.state, "automatic"))))
  yield* writeNames(tx, clipId, Object.fromEntries(automatic.map(({ speaker }) => [speaker, null])))
}

/**
 * Replaces the speaker embeddings of a clip after its transcript, and names the speakers that are known people. Names that
 * users gave stay, and people whom they declined do not return. Needs the lock of people.
 */
export function* writeEmbeddings(
  tx: Transaction,
  clipId: string,
  embeddings: SpeakerEmbeddings | undefined,
): Operation<void> {
  const { speakerEmbeddings } = tx.tables
  yield* removeAutomaticNames(tx, clipId)
  yield* run(tx.db.delete(speakerEmbeddings).where(eq(speakerEmbeddings.clipId, clipId)))
  if (!embeddings || embeddings.speakers.length === 0) return
  const { embedder, speakers, thresholds } = embeddings
  const rows = speakers.map(({ speaker, vector, seconds }) => ({
    clipId,
    speaker,
    embedder,
    vector: encodeVector(vector),
    seconds,
  }))
  yield* run(tx.db.insert(speakerEmbeddings).values(rows))
  const links = yield* readLinks(tx, clipId)
  const isNamed = (speaker: string) => links.some((link) => link.speaker === speaker && link.state !== "rejected")
  const isExcluded = (speaker: string, personId: string) =>
    links.some((link) => link.personId === personId && (link.speaker === speaker || link.state !== "rejected"))
  const others = (yield* readPersonEmbeddings(tx, embedder)).filter(({ clip_id }) => clip_id !== clipId)
  const unnamed = speakers.filter(({ speaker }) => !isNamed(speaker))
  const recognized = recognizeSpeakers(unnamed, buildProfiles(others), thresholds, isExcluded)
  for (const { speaker, person, score } of recognized)
    yield* writeLink(tx, { clipId, speaker, personId: person.id, state: "automatic", score })
  if (recognized.length > 0)
    yield* writeNames(tx, clipId, Object.fromEntries(recognized.map(({ speaker, person }) => [speaker, person.name])))
}
