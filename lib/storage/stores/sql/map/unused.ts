import { sql } from "drizzle-orm"
import type { Transaction } from "../database.ts"

/** Selects the vectors that no topic refers to, neither by its title and summary nor by its words. */
export const isUnusedVector = ({ tables: { topics, vectors } }: Transaction) =>
  sql`not exists (select 1 from ${topics} where ${topics.hash} = ${vectors.hash})
    and not exists (select 1 from ${topics} where ${topics.speechHash} = ${vectors.hash})`

/** Selects the speech that no topic refers to. */
export const isUnusedSpeech = ({ tables: { topics, topicSpeech } }: Transaction) =>
  sql`not exists (select 1 from ${topics} where ${topics.speechHash} = ${topicSpeech.hash})`
