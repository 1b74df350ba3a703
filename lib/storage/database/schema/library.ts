import { blob, index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { clips } from "./clips.ts"

/** How loud a recording is, one byte a slice; `stamp` tells which file it was made of. */
export const waveforms = sqliteTable("waveforms", {
  clipId: text("clip_id")
    .primaryKey()
    .references(() => clips.id, { onDelete: "cascade" }),
  stamp: text().notNull(),
  durationS: real("duration_s").notNull(),
  peaks: blob({ mode: "buffer" }).notNull(),
})

/**
 * What can be found in the library, one row a title, topic or stretch of speech. Made anew when somebody searches;
 * triggers of a custom migration take a clip's rows away when it changes, and keep the full-text table `findable_fts`.
 */
export const findables = sqliteTable(
  "findables",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    clipId: text("clip_id")
      .notNull()
      .references(() => clips.id, { onDelete: "cascade" }),
    kind: text({ enum: ["title", "topic", "words"] }).notNull(),
    text: text().notNull(),
    /** Of a topic: its number. Of speech: the start of each word in seconds, as JSON. */
    number: text(),
    starts: text({ mode: "json" }).$type<readonly number[]>(),
    speaker: text(),
    startS: real("start_s").notNull(),
    /** What the full text is of: stems with spaces between them, made by the program as for every other index. */
    stems: text().notNull().default(""),
  },
  (t) => [index("findables_clip").on(t.clipId, t.kind)],
)
