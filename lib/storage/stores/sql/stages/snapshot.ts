import { and, eq } from "drizzle-orm"
import { type JobState, STATE_KEY } from "../../../../domain/jobs/job-state.ts"
import { parseStoredTranscript } from "../../../../domain/transcript/given/stored-transcript.ts"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import type { JobSnapshot } from "../../ports/stages.ts"
import type { Transaction } from "../database.ts"
import { type JobRow, resultClipId, type StageRow } from "../jobs/job-rows.ts"
import { all, get, type Operation } from "../statements.ts"

const parseWords = (json: string | undefined): WordSpan[] | null => (json === undefined ? null : JSON.parse(json))

/**
 * Reads the data that a stage may need.
 * @returns a function that parses it, to be called after the transaction
 */
export function* readSnapshot({ db, tables }: Transaction, job: JobRow, row: StageRow): Operation<() => JobSnapshot> {
  const { clips, givenTranscripts, jobStages, transcripts } = tables
  const sessionId = resultClipId(job)
  const given = yield* get(db.select().from(givenTranscripts).where(eq(givenTranscripts.jobId, job.id)))
  const { durationS, speechEngine, whisperModel, language } = clips
  const columns = { durationS, speechEngine, whisperModel, language }
  const clip = yield* get(db.select(columns).from(clips).where(eq(clips.id, sessionId)))
  const stored = yield* get(db.select().from(transcripts).where(eq(transcripts.clipId, sessionId)))
  const outputs = yield* all(
    db
      .select({ stage: jobStages.stage, output: jobStages.output })
      .from(jobStages)
      .where(and(eq(jobStages.jobId, job.id), eq(jobStages.state, "done"))),
  )
  // The whisper stage reuses a stored transcript, so a forced re-transcription must not see it.
  const isHidden = row.stage === "whisper" && job.options.force_retranscribe
  return () => ({
    jobId: job.id,
    sessionId,
    title: job.title,
    source: job.source,
    options: job.options,
    given: given ? parseStoredTranscript(given.words) : null,
    words: isHidden ? null : parseWords(stored?.words),
    duration_s: clip?.durationS ?? 0,
    made_by: !clip
      ? null
      : {
          speech_engine: clip.speechEngine,
          whisper_model: clip.whisperModel,
          language: clip.language,
        },
    state: Object.fromEntries(
      outputs.flatMap(({ stage, output }) =>
        stage in STATE_KEY && output !== null ? [[STATE_KEY[stage as keyof typeof STATE_KEY], JSON.parse(output)]] : [],
      ),
    ) as JobState,
  })
}
