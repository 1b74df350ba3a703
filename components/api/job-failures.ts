import { EarmarkError } from "#lib/api/client/errors.ts"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { capitalize } from "../ui/format.ts"

type EndedJob = Pick<JobRecord, "error">

/** Matches errors about a file that contains no readable audio, so that retrying cannot help. */
const UNREADABLE_AUDIO = /not a recording|has no audio track|contains no audio|the file is empty/

/** Returns true if retrying the same file cannot succeed. */
export const isPermanentFailure = ({ error }: EndedJob): boolean =>
  error !== undefined && UNREADABLE_AUDIO.test(error.detail)

/** Removes the field name from a validation message, for display next to that field. */
export const stripFieldName = (detail: string): string => capitalize(detail.replace(/^(source|file): /, ""))

/** HTTP statuses of a rejected file: too large, wrong type or invalid. */
const REJECTION_STATUSES: readonly number[] = [413, 415, 422]
export const isRejection = (error: unknown): boolean =>
  error instanceof EarmarkError && REJECTION_STATUSES.includes(error.status)

/** Returns the first clause of a job's error, without the file name that the job card already shows. */
export const summarizeFailure = ({ error }: EndedJob): string => {
  if (!error) return "Stopped"
  const [clause = ""] = error.detail
    .replace(/^'[^']+': |^Couldn't (?:read|open|decode) .+?: (?!\/)/, "")
    .split(/(?<=[.!?])\s+(?=[A-Z])|; /, 1)
  const reason = clause.trim().replace(/[.:]$/, "")
  return reason === "" ? `Stopped at “${STAGE_TABLE[error.stage].label}”` : capitalize(reason)
}
