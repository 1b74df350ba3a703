import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { PhraseCount } from "../../../domain/text/phrases.ts"

/** Embeddings by model and hash of the embedded text, as little-endian float32. */
export const vectors = sqliteTable(
  "vectors",
  { model: text().notNull(), hash: text().notNull(), vector: blob({ mode: "buffer" }).notNull() },
  (t) => [primaryKey({ columns: [t.model, t.hash] })],
)

/**
 * What is said in topics, by hash of the words. `terms` has a uint32 hash per term, followed by a uint16 count per term,
 * little-endian.
 */
export const topicSpeech = sqliteTable("topic_speech", {
  hash: text().primaryKey(),
  terms: blob({ mode: "buffer" }).notNull(),
  phrases: text({ mode: "json" }).$type<readonly PhraseCount[]>().notNull(),
})

/** Names of regions that a language model wrote, by hash of what it was asked. */
export const regionNames = sqliteTable("region_names", {
  key: text().primaryKey(),
  name: text().notNull(),
  writtenAt: integer("written_at").notNull(),
})

/** The layout of the map per embedding model. `coords` has three float32 per hash, in the order of `hashes`. */
export const layouts = sqliteTable("layouts", {
  model: text().primaryKey(),
  version: integer().notNull(),
  hashes: text({ mode: "json" }).$type<string[]>().notNull(),
  coords: blob({ mode: "buffer" }).notNull(),
})
