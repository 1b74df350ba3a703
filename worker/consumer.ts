import { messageOf } from "../lib/domain/errors.ts"
import { hasValidNext } from "../lib/domain/jobs/stage-graph.ts"
import { STAGE_TABLE } from "../lib/domain/jobs/stage-table.ts"
import { MESSAGE_VERSION, type StageMessage, type StageName, stageMessage } from "../lib/domain/jobs/stages.ts"
import type { StageRunner } from "../lib/pipeline/run-stage.ts"
import type { Logger } from "../lib/platform/logger.ts"
import type { Broker, Delivery, Settlement, Subscription } from "../lib/queue/types.ts"
import { createIsolationGate } from "./isolation-gate.ts"

/** After a store that could not be written; by then another process may hold the claim. */
const AGAIN_MS = 2_000
/** While hosts are brought to the next version one by one, its messages are left to those that know it. */
const NEWER_MS = 10_000

const isNextVersion = (json: unknown): boolean =>
  typeof json === "object" && json !== null && "version" in json && json.version === MESSAGE_VERSION + 1

/** What a message asks for, that it is for a worker of the next version, or why it can never be followed. */
const read = ({ stage, body }: Delivery): StageMessage | { refused: string } | { newer: true } => {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { refused: "not JSON" }
  }
  if (isNextVersion(json)) return { newer: true }
  const parsed = stageMessage.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return { refused: `not a stage message: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}` }
  }
  if (parsed.data.stage !== stage)
    return { refused: `a message of stage ${parsed.data.stage} in the queue of ${stage}` }
  if (!hasValidNext(parsed.data))
    return { refused: `after ${stage} the graph does not allow [${parsed.data.next.join(", ")}]` }
  return parsed.data
}

/** Settles a delivery. The row is the truth: a message for a stage that is done or in other hands is simply done with. */
export const createHandler = (runner: Pick<StageRunner, "run">, log: Logger) => {
  const door = createIsolationGate()
  let told = false
  const leave = ({ stage }: Delivery): Settlement => {
    if (!told) log.warn({ stage }, "messages of the next version are left to newer workers; upgrade this one, too")
    told = true
    return { retryInMs: NEWER_MS }
  }
  return async (delivery: Delivery): Promise<Settlement> => {
    const refuse = (reason: string): Settlement => {
      log.error({ stage: delivery.stage, message_id: delivery.id, reason }, "message refused")
      return { deadLetter: reason }
    }
    const message = read(delivery)
    if ("newer" in message) return leave(delivery)
    if ("refused" in message) return refuse(message.refused)
    // Before the claim: while it waits, no death is counted against it.
    const { job_id, crashed: alone = false, trace } = message
    const out = await door.enter(alone)
    try {
      const outcome = await runner.run(job_id, delivery.stage, { alone, trace })
      return outcome === "unknown" ? refuse(`unknown job '${job_id}'`) : "ack"
    } catch (error) {
      log.error({ stage: delivery.stage, job_id, detail: messageOf(error) }, "stage not written")
      return { retryInMs: AGAIN_MS }
    } finally {
      out()
    }
  }
}

export const consumeStages = (
  broker: Broker,
  stages: readonly StageName[],
  runner: StageRunner,
  log: Logger,
): Promise<Subscription[]> => {
  const handler = createHandler(runner, log)
  return Promise.all(
    stages.map((stage) => broker.consume(stage, handler, { concurrency: STAGE_TABLE[stage].concurrency })),
  )
}
