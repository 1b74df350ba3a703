import type { ZodType } from "zod"
import { clip, clipList } from "../contracts/clips.ts"
import {
  documentEntry,
  documentList,
  documentText,
  ingestResult,
  queryEvent,
  queryResult,
} from "../contracts/documents.ts"
import { feed } from "../contracts/feeds.ts"
import { health, readiness } from "../contracts/health.ts"
import { installation } from "../contracts/installation.ts"
import { jobList, jobRecord, jobResult, submitted } from "../contracts/jobs.ts"
import { modelList, pulling } from "../contracts/models.ts"
import { searchAnswer } from "../contracts/search.ts"
import { topicDiff } from "../contracts/topic-diff.ts"
import { clipTopics } from "../contracts/topic-edits.ts"
import { topicRun, topicRunList } from "../contracts/topic-runs.ts"
import { searchResults, vizData } from "../contracts/viz.ts"
import { waveform } from "../contracts/waveform.ts"
import { wordEdits } from "../contracts/word-edits.ts"
import { EarmarkError } from "./errors.ts"
import type { Check } from "./transport.ts"

/** What the service answers, by the name under which the client asks for it. */
const CONTRACTS = {
  health,
  readiness,
  submitted,
  jobRecord,
  jobList,
  jobResult,
  clip,
  clipList,
  clipTopics,
  topicRunList,
  topicRun,
  topicDiff,
  waveform,
  wordEdits,
  searchAnswer,
  documentList,
  documentText,
  documentEntry,
  feed,
  modelList,
  pulling,
  installation,
  ingestResult,
  queryResult,
  queryEvent,
  vizData,
  searchResults,
} as const satisfies Record<string, ZodType>

export type Answers = {
  [K in keyof typeof CONTRACTS]: (typeof CONTRACTS)[K] extends ZodType<infer T> ? T : never
}

/** Reads every answer by its contract. @throws EarmarkError for one that breaks it */
export const checked: Check = (name, status, body) => {
  const parsed = (CONTRACTS[name] as unknown as ZodType<Answers[typeof name]>).safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new EarmarkError(
    status,
    `The service's answer breaks its contract at '${issue?.path.join(".")}': ${issue?.message}`,
    { cause: parsed.error },
  )
}
