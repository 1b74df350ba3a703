import { EarmarkError } from "#lib/api/client/errors.ts"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { capital } from "../ui/format.ts"

type Ended = Pick<JobRecord, "error">

/** What the service says of a source in which nothing can be heard, however often it is tried. */
const NO_SOUND = /is not a sound recording|has no audio track|holds no sound|is empty: give/

/** Whether another try at the same bytes must end the same way. */
export const isPermanentFailure = ({ error }: Ended): boolean => error !== undefined && NO_SOUND.test(error.detail)

/** The interface names the field that it speaks of; beside that field, or the file itself, the name is noise. */
export const besideField = (detail: string): string => capital(detail.replace(/^(source|file): /, ""))

/** Whether the service refuses these very bytes: they are not expected, too many, or no recording. */
const REFUSALS: readonly number[] = [413, 415, 422]
export const isRefusal = (error: unknown): boolean => error instanceof EarmarkError && REFUSALS.includes(error.status)

/** Why a run stopped, in its first clause, without the name that stands beside it already. */
export const reasonOf = ({ error }: Ended): string => {
  if (!error) return "Stopped"
  const [clause = ""] = error.detail.replace(/^'[^']+': /, "").split(/(?<=[.!?])\s+(?=[A-Z])|; /, 1)
  const reason = clause.trim().replace(/[.:]$/, "")
  return reason === "" ? `Stopped at “${STAGE_TABLE[error.stage].label}”` : capital(reason)
}
