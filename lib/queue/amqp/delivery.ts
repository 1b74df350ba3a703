import type { ConsumeMessage, Message } from "amqplib"
import { newId } from "../../domain/ids.ts"
import type { StageName } from "../../domain/jobs/stages.ts"
import type { DeadLetter, Delivery, Settlement } from "../types.ts"
import type { Envelope } from "./publisher.ts"
import { routingKey } from "./topology.ts"

/** How often a message was deferred. The broker cannot count this, because each deferral publishes a copy. */
const DEFERRALS = "x-earmark-put-off"
const REASON = "x-earmark-reason"
const DEAD_AT = "x-earmark-dead-at"
/** Keeps headers below the frame size of the broker. */
const MAX_REASON_CHARS = 1000

/** The delay after a handler has thrown. It doubles each time up to the limit. */
const BACKOFF_MS = 500
const BACKOFF_LIMIT_MS = 30_000

const headersOf = ({ properties }: Message): Record<string, unknown> => properties.headers ?? {}
const countDeferrals = (message: Message): number => {
  const n = Number(headersOf(message)[DEFERRALS] ?? 0)
  return Number.isInteger(n) && n > 0 ? n : 0
}
/** Messages of other programs may have no ID. */
const idOf = ({ properties }: Message): string => properties.messageId ?? newId()

export const toDelivery = (stage: StageName, message: ConsumeMessage): Delivery => ({
  stage,
  id: idOf(message),
  body: message.content.toString("utf8"),
  redelivered: message.fields.redelivered || countDeferrals(message) > 0,
})

export const retryDelayMs = (message: Message): number =>
  Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** Math.min(countDeferrals(message), 10))

/** Returns the copy that replaces a delivery in the queue of deferred messages or of dead letters. */
export const toEnvelope = (
  { stage, id, body }: Delivery,
  message: Message,
  settlement: Exclude<Settlement, "ack">,
): Envelope =>
  "retryInMs" in settlement
    ? {
        key: routingKey(stage, settlement.retryInMs > 0 ? ".later" : ""),
        id,
        body,
        headers: { [DEFERRALS]: countDeferrals(message) + 1 },
        ...(settlement.retryInMs > 0 && { expiresInMs: settlement.retryInMs }),
      }
    : {
        key: routingKey(stage, ".dead"),
        id,
        body,
        headers: { [REASON]: settlement.deadLetter.slice(0, MAX_REASON_CHARS), [DEAD_AT]: Date.now() },
      }

/** Converts a message of a dead-letter queue. The broker also dead-letters messages at its delivery limit. */
export const toDeadLetter = (stage: StageName, message: Message): DeadLetter => {
  const { [REASON]: reason, [DEAD_AT]: deadAt, "x-first-death-reason": byBroker } = headersOf(message)
  return {
    stage,
    id: idOf(message),
    body: message.content.toString("utf8"),
    reason: typeof reason === "string" ? reason : `dead-lettered by the broker: ${String(byBroker ?? "no reason")}`,
    ...(typeof deadAt === "number" && { deadAt }),
  }
}
