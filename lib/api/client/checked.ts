import type { ZodType } from "zod"
import { clip, clipList } from "../../domain/clips.ts"
import {
  documentEntry,
  documentList,
  documentText,
  ingestResult,
  queryEvent,
  queryResult,
} from "../../domain/documents.ts"
import { feed } from "../../domain/feeds.ts"
import { health, readiness } from "../../domain/health.ts"
import { installation } from "../../domain/installation.ts"
import { jobList, jobRecord, jobResult, submitted } from "../../domain/jobs/jobs.ts"
import { searchResults, vizData } from "../../domain/map.ts"
import { searchAnswer } from "../../domain/search.ts"
import { modelList, pulling } from "../../domain/speech-models.ts"
import { topicDiff } from "../../domain/topics/diff-schema.ts"
import { clipTopics } from "../../domain/topics/topic-edits.ts"
import { topicRun, topicRunList } from "../../domain/topics/topic-runs.ts"
import { waveform } from "../../domain/transcript/waveform.ts"
import { wordEdits } from "../../domain/transcript/word-edits.ts"
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
