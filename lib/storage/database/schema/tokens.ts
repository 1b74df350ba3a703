import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import type { Scope } from "../../../domain/tokens.ts"

/** API tokens. Only their SHA-256 hashes are stored. */
export const apiTokens = sqliteTable("api_tokens", {
  id: text().primaryKey(),
  name: text().notNull(),
  hash: text().notNull().unique(),
  scopes: text({ mode: "json" }).$type<readonly Scope[]>().notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  /** Written at most once a minute. */
  lastUsedAt: integer("last_used_at"),
})

/** Browser sessions, by the hash of their cookie. A session has the scopes of the token that was used to sign in. */
export const tokenSessions = sqliteTable(
  "token_sessions",
  {
    hash: text().primaryKey(),
    tokenId: text("token_id")
      .notNull()
      .references(() => apiTokens.id, { onDelete: "cascade" }),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("token_sessions_token").on(t.tokenId)],
)
