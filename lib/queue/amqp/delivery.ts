import type { ConsumeMessage, Message } from "amqplib"
import { newId } from "../../domain/ids.ts"
import type { StageName } from "../../domain/jobs/stages.ts"
import type { DeadLetter, Delivery, Settlement } from "../types.ts"
import type { Envelope } from "./publisher.ts"
import { routingKey } from "./topology.ts"

/** How often a message was put off; its copies are new to the broker, so it is counted here. */
const PUT_OFF = "x-earmark-put-off"
const REASON = "x-earmark-reason"
const DEAD_AT = "x-earmark-dead-at"
/** Headers must stay small: a broker refuses larger frames. */
const REASON_CHARACTERS = 1000

/** A handler that throws gets its message again after this long, doubled each time up to the limit. */
const BACKOFF_MS = 500
const BACKOFF_LIMIT_MS = 30_000

const headersOf = ({ properties }: Message): Record<string, unknown> => properties.headers ?? {}
const putOff = (message: Message): number => {
  const n = Number(headersOf(message)[PUT_OFF] ?? 0)
  return Number.isInteger(n) && n > 0 ? n : 0
}
/** Foreign messages may come without an id. */
const idOf = ({ properties }: Message): string => properties.messageId ?? newId()

export const deliveryOf = (stage: StageName, message: ConsumeMessage): Delivery => ({
  stage,
  id: idOf(message),
  body: message.content.toString("utf8"),
  redelivered: message.fields.redelivered || putOff(message) > 0,
})

export const backoffOf = (message: Message): number =>
  Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** Math.min(putOff(message), 10))

/** The copy that takes a delivery's place: in the queue of what is put off, or among the dead letters. */
export const envelopeOf = (
  { stage, id, body }: Delivery,
  message: Message,
  settlement: Exclude<Settlement, "ack">,
): Envelope =>
  "retryInMs" in settlement
    ? {
        key: routingKey(stage, settlement.retryInMs > 0 ? ".later" : ""),
        id,
        body,
        headers: { [PUT_OFF]: putOff(message) + 1 },
        ...(settlement.retryInMs > 0 && { expiresInMs: settlement.retryInMs }),
      }
    : {
        key: routingKey(stage, ".dead"),
        id,
        body,
        headers: { [REASON]: settlement.deadLetter.slice(0, REASON_CHARACTERS), [DEAD_AT]: Date.now() },
      }

/** A message of a dead-letter queue. The broker puts messages there too, at its delivery limit. */
export const deadLetterOf = (stage: StageName, message: Message): DeadLetter => {
  const { [REASON]: reason, [DEAD_AT]: deadAt, "x-first-death-reason": byBroker } = headersOf(message)
  return {
    stage,
    id: idOf(message),
    body: message.content.toString("utf8"),
    reason: typeof reason === "string" ? reason : `given up by the broker: ${String(byBroker ?? "no reason")}`,
    ...(typeof deadAt === "number" && { deadAt }),
  }
}
