import { and, eq } from "drizzle-orm"
import { type JobState, STATE_KEY } from "../../../domain/jobs/job-state.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { JobSnapshot } from "../ports/stages.ts"
import type { Tx } from "./context.ts"
import { clipIdOf, type JobRow, type StageRow } from "./job-rows.ts"
import { all, get, type Steps } from "./steps.ts"

const words = (json: string | undefined): WordSpan[] | null => (json === undefined ? null : JSON.parse(json))

/** Reads all that a stage may need, as text; what comes back parses it, after the transaction. */
export function* readSnapshot({ db, t }: Tx, job: JobRow, row: StageRow): Steps<() => JobSnapshot> {
  const { clips, givenTranscripts, jobStages, transcripts } = t
  const sessionId = clipIdOf(job)
  const given = yield* get(db.select().from(givenTranscripts).where(eq(givenTranscripts.jobId, job.id)))
  const clip = yield* get(db.select({ durationS: clips.durationS }).from(clips).where(eq(clips.id, sessionId)))
  const stored = yield* get(db.select().from(transcripts).where(eq(transcripts.clipId, sessionId)))
  const outputs = yield* all(
    db
      .select({ stage: jobStages.stage, output: jobStages.output })
      .from(jobStages)
      .where(and(eq(jobStages.jobId, job.id), eq(jobStages.state, "done"))),
  )
  // Whisper takes words that are there for its own result; a forced run must not see them.
  const hidden = row.stage === "whisper" && job.options.force_retranscribe
  return () => ({
    jobId: job.id,
    sessionId,
    title: job.title,
    source: job.source,
    options: job.options,
    given: words(given?.words),
    words: hidden ? null : words(stored?.words),
    duration_s: clip?.durationS ?? 0,
    state: Object.fromEntries(
      outputs.flatMap(({ stage, output }) =>
        stage in STATE_KEY && output !== null ? [[STATE_KEY[stage as keyof typeof STATE_KEY], JSON.parse(output)]] : [],
      ),
    ) as JobState,
  })
}
