import { messageOf } from "../lib/domain/errors.ts"
import { hasValidNext } from "../lib/domain/jobs/stage-graph.ts"
import { STAGE_TABLE } from "../lib/domain/jobs/stage-table.ts"
import { MESSAGE_VERSION, type StageMessage, type StageName, stageMessage } from "../lib/domain/jobs/stages.ts"
import type { StageRunner } from "../lib/pipeline/run-stage.ts"
import type { Logger } from "../lib/platform/logger.ts"
import type { Broker, Delivery, Settlement, Subscription } from "../lib/queue/types.ts"
import { createIsolationGate } from "./isolation-gate.ts"

/** The delay after a failed write. By then another process may hold the claim. */
const RETRY_DELAY_MS = 2_000
/** The delay of a message of the next version. During a rolling upgrade, only upgraded workers understand it. */
const NEXT_VERSION_DELAY_MS = 10_000

const isNextVersion = (json: unknown): boolean =>
  typeof json === "object" && json !== null && "version" in json && json.version === MESSAGE_VERSION + 1

/** Parses and validates a message. An invalid message can never be processed. */
const parseMessage = ({ stage, body }: Delivery): StageMessage | { invalid: string } | { isNextVersion: true } => {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { invalid: "not JSON" }
  }
  if (isNextVersion(json)) return { isNextVersion: true }
  const parsed = stageMessage.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { invalid: `not a stage message: ${issue!.path.join(".")} ${issue!.message}` }
  }
  if (parsed.data.stage !== stage)
    return { invalid: `a message of stage ${parsed.data.stage} in the queue of ${stage}` }
  if (!hasValidNext(parsed.data))
    return { invalid: `after ${stage} the graph does not allow [${parsed.data.next.join(", ")}]` }
  return parsed.data
}

/** Returns true for a message that the outbox contained, so that its job existed. */
const isOutboxMessage = ({ id, stage }: Delivery, jobId: string): boolean => id.startsWith(`${jobId}:${stage}:`)

/** Creates the handler of stage messages. A message for a stage that is done or claimed by another worker is acknowledged. */
export const createHandler = (runner: Pick<StageRunner, "run">, log: Logger) => {
  const gate = createIsolationGate()
  let isLogged = false
  const defer = ({ stage }: Delivery): Settlement => {
    if (!isLogged)
      log.warn(
        { stage },
        "found messages of the next version; leaving them to upgraded workers. Upgrade this worker, too",
      )
    isLogged = true
    return { retryInMs: NEXT_VERSION_DELAY_MS }
  }
  return async (delivery: Delivery): Promise<Settlement> => {
    const reject = (reason: string): Settlement => {
      log.error({ stage: delivery.stage, message_id: delivery.id, reason }, "message rejected")
      return { deadLetter: reason }
    }
    const message = parseMessage(delivery)
    if ("isNextVersion" in message) return defer(delivery)
    if ("invalid" in message) return reject(message.invalid)
    // Waits before the claim, because a crash of the worker counts as an attempt only for claimed stages.
    const { job_id, attempt, crashed: alone = false, trace } = message
    const leaveGate = await gate.enter(alone)
    try {
      const outcome = await runner.run(job_id, delivery.stage, { alone, attempt, trace })
      if (outcome !== "unknown") return "ack"
      if (!isOutboxMessage(delivery, job_id)) return reject(`unknown job '${job_id}'`)
      log.info({ stage: delivery.stage, job_id }, "dropped a message of a deleted job")
      return "ack"
    } catch (error) {
      log.error({ stage: delivery.stage, job_id, detail: messageOf(error) }, "failed to record stage result")
      return { retryInMs: RETRY_DELAY_MS }
    } finally {
      leaveGate()
    }
  }
}

export const consumeStages = (
  broker: Pick<Broker, "consume">,
  stages: readonly StageName[],
  runner: StageRunner,
  log: Logger,
): Promise<Subscription[]> => {
  const handler = createHandler(runner, log)
  return Promise.all(
    stages.map((stage) => broker.consume(stage, handler, { concurrency: STAGE_TABLE[stage].concurrency })),
  )
}
