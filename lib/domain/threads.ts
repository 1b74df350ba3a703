import * as z from "zod"
import { queryCitation, queryCounts, queryFilter, queryFound, queryScope, querySource } from "./documents.ts"
import { cleanName, isoTime, nextCursor, pageQuery, textFilter } from "./schemas.ts"

export const MAX_THREADS = 10_000
export const MAX_TURNS = 200
export const MAX_THREAD_TITLE_CHARS = 200

const threadTitle = z.string().overwrite(cleanName).min(1).max(MAX_THREAD_TITLE_CHARS)

/** A conversation: questions and their answers, in which a question can refer to those before it. */
export const thread = z.object({
  id: z.string().describe("The ID of the thread"),
  title: z.string().describe("The title"),
  questions: z.int().min(0).describe("The number of questions"),
  created_at: isoTime.describe("When the thread was created"),
  updated_at: isoTime.describe("When the last question was asked"),
  etag: z.string().describe("The version of the thread, for the header If-Match"),
})
export type Thread = z.infer<typeof thread>

export const turnState = z.enum(["done", "stopped", "failed"])

/** A question of a thread with its answer. */
export const turn = z.object({
  number: z.int().min(1).describe("The position in the thread, counted from 1. Numbers may be missing"),
  question: z.string().describe("The question as it was asked"),
  rewritten_question: z
    .string()
    .nullable()
    .describe("The whole question that a follow-up was understood as. Null if it was searched as asked"),
  scope: queryScope.describe("What was searched"),
  filter: queryFilter.nullable().describe("The filter of the question"),
  state: turnState.describe("`done`; `stopped` by the caller, or `failed`, each with the answer so far"),
  answer: z.string().describe("The answer. `[n]` refers to the n-th source"),
  error: z.string().nullable().describe("Why the answer failed"),
  sources: z.array(querySource).describe("The chunks that the answer is based on, as they were then"),
  citations: z.array(queryCitation).describe("One entry for each `[n]` in the answer, in order"),
  found: queryFound.nullable().describe("What was found, if no language model wrote the answer"),
  searched: queryCounts.describe("What was searched"),
  provider: z.string().nullable().describe("What wrote the answer"),
  model: z.string().nullable().describe("The language model that wrote the answer"),
  created_at: isoTime.describe("When the question was asked"),
})
export type Turn = z.infer<typeof turn>

export const threadWithTurns = thread.extend({ turns: z.array(turn).describe("The questions and answers, in order") })
export type ThreadWithTurns = z.infer<typeof threadWithTurns>

export const threadRequest = z.object({
  title: threadTitle.describe("The title, such as the beginning of the first question"),
})
export type ThreadRequest = z.infer<typeof threadRequest>

export const threadPatch = z.object({ title: threadTitle.describe("The new title") })
export type ThreadPatch = z.infer<typeof threadPatch>

export const threadsQuery = pageQuery.extend({
  q: textFilter.describe("Only threads whose title or one of whose questions contains this text"),
})
export type ThreadsQuery = z.infer<typeof threadsQuery>

export const threadList = z.object({
  threads: z.array(thread).describe("The threads, the one asked last first"),
  next_cursor: nextCursor,
})
export type ThreadList = z.infer<typeof threadList>
