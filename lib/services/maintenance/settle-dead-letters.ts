import { stageMessage } from "../../domain/jobs/stages.ts"
import type { Broker, DeadLetter } from "../../queue/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"

type Decision = "keep" | "drop" | "requeue"

const MAX_LETTERS = 1000

const jobIdOf = ({ body }: DeadLetter): string | null => {
  try {
    const parsed = stageMessage.safeParse(JSON.parse(body))
    return parsed.success ? parsed.data.job_id : null
  } catch {
    return null
  }
}

/**
 * Decides about a dead letter. One of a job that has ended, or of a deleted job, has no use any more. One that the broker
 * itself removed, at its delivery limit, is valid, and its stage still waits for it.
 */
const decide = async (store: Pick<Store, "jobs">, letter: DeadLetter, droppedBefore: number): Promise<Decision> => {
  if ((letter.deadAt ?? droppedBefore) < droppedBefore) return "drop"
  const jobId = jobIdOf(letter)
  if (jobId === null) return "keep"
  const job = await store.jobs.get(jobId)
  const isFromOutbox = letter.id.startsWith(`${jobId}:${letter.stage}:`)
  if (job === null) return isFromOutbox ? "drop" : "keep"
  if (job.status !== "queued" && job.status !== "running") return "drop"
  if (letter.deadAt !== undefined) return "keep"
  return job.stages[letter.stage] === "queued" ? "requeue" : "drop"
}

/**
 * Drops dead letters without use, and requeues those that the broker removed from a queue at its delivery limit.
 * @param keepMs how long other dead letters are kept
 */
export const settleDeadLetters = async (
  store: Pick<Store, "jobs" | "now">,
  broker: Pick<Broker, "deadLetters" | "requeueDeadLetters" | "dropDeadLetters">,
  keepMs: number,
): Promise<{ readonly dropped: number; readonly requeued: number }> => {
  const letters = await broker.deadLetters({ limit: MAX_LETTERS })
  if (letters.length === 0) return { dropped: 0, requeued: 0 }
  const before = (await store.now()) - keepMs
  const ids: Record<Decision, string[]> = { keep: [], drop: [], requeue: [] }
  for (const letter of letters) ids[await decide(store, letter, before)].push(letter.id)
  return {
    dropped: ids.drop.length > 0 ? await broker.dropDeadLetters({ ids: ids.drop }) : 0,
    requeued: ids.requeue.length > 0 ? await broker.requeueDeadLetters({ ids: ids.requeue }) : 0,
  }
}
