import { blob, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { clips } from "./clips.ts"

/** People who speak in recordings. Names differ in more than capital and small letters; the program ensures that. */
export const people = sqliteTable(
  "people",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("people_newest").on(t.createdAt, t.id)],
)

/**
 * Who the speakers of clips are. A speaker has at most one person in a state other than `rejected`, whose name is also in
 * `clips.speakers`. Jobs add and remove only rows in state `automatic`.
 */
export const clipPeople = sqliteTable(
  "clip_people",
  {
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    speaker: text().notNull(),
    personId: text("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    /** `rejected`: the speaker is not this person, who is never suggested for the speaker again. */
    state: text({ enum: ["confirmed", "automatic", "rejected"] }).notNull(),
    /** The similarity that an automatic name was given for. */
    score: real(),
    at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.clipId, t.speaker, t.personId] }),
    index("clip_people_person").on(t.personId, t.state, t.clipId),
  ],
)

/** The speaker embeddings of the transcript of a clip. Vectors have unit length; those of different embedders are not comparable. */
export const speakerEmbeddings = sqliteTable(
  "speaker_embeddings",
  {
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    speaker: text().notNull(),
    embedder: text().notNull(),
    vector: blob({ mode: "buffer" }).notNull(),
    /** The length of the speech that the vector was computed from. */
    seconds: real().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.clipId, t.speaker] }),
    index("speaker_embeddings_embedder").on(t.embedder, t.clipId),
  ],
)
