import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { clips } from "./clips.ts"

/** How often each part of a clip has changed. A clip without a row has not changed since versions are counted. */
export const clipVersions = sqliteTable("clip_versions", {
  clipId: text("clip_id")
    .primaryKey()
    .references(() => clips.id, { onDelete: "cascade" }),
  title: integer().notNull().default(0),
  speakers: integer().notNull().default(0),
  transcript: integer().notNull().default(0),
  topics: integer().notNull().default(0),
  tags: integer().notNull().default(0),
  updatedAt: integer("updated_at").notNull(),
})
