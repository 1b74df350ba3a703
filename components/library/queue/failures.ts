import { EarmarkError } from "#lib/api/client/errors.ts"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { capitalize } from "../../ui/format.ts"

type EndedJob = Pick<JobRecord, "error">

/** What the service says of a source in which nothing can be heard, however often it is tried. */
const UNREADABLE_AUDIO = /is not a sound recording|has no audio track|holds no sound|is empty: give/

/** Whether another try at the same bytes must end the same way. */
export const isPermanentFailure = ({ error }: EndedJob): boolean =>
  error !== undefined && UNREADABLE_AUDIO.test(error.detail)

/** The interface names the field that it speaks of; beside that field, or the file itself, the name is noise. */
export const stripFieldName = (detail: string): string => capitalize(detail.replace(/^(source|file): /, ""))

/** Whether the service refuses these very bytes: they are not expected, too many, or no recording. */
const REJECTION_STATUSES: readonly number[] = [413, 415, 422]
export const isRejection = (error: unknown): boolean =>
  error instanceof EarmarkError && REJECTION_STATUSES.includes(error.status)

/** Why a run stopped, in its first clause, without the name that stands beside it already. */
export const summarizeFailure = ({ error }: EndedJob): string => {
  if (!error) return "Stopped"
  const [clause = ""] = error.detail.replace(/^'[^']+': /, "").split(/(?<=[.!?])\s+(?=[A-Z])|; /, 1)
  const reason = clause.trim().replace(/[.:]$/, "")
  return reason === "" ? `Stopped at “${STAGE_TABLE[error.stage].label}”` : capitalize(reason)
}
