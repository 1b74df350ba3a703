import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { Turn } from "../../../domain/threads.ts"

/** Conversations on the page Ask. */
export const threads = sqliteTable(
  "threads",
  {
    id: text().primaryKey(),
    title: text().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** How often the title or the questions have changed. */
    version: integer().notNull().default(0),
  },
  (t) => [index("threads_newest").on(t.updatedAt, t.id)],
)

/** The questions of threads with their answers. */
export const threadTurns = sqliteTable(
  "thread_turns",
  {
    threadId: text("thread_id")
      .notNull()
      .references(() => threads.id, { onDelete: "cascade" }),
    /** Counted from 1. Numbers of a thread are not used again. */
    number: integer().notNull(),
    /** Separate from the turn, to be searched. */
    question: text().notNull(),
    turn: text({ mode: "json" }).$type<Omit<Turn, "number" | "question" | "created_at">>().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.threadId, t.number] })],
)
