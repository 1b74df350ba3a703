import type { Channel, GetMessage } from "amqplib"
import { STAGE_NAMES, type StageName } from "../../contracts/stages.ts"
import type { DeadLetter, DeadLetterChoice } from "../types.ts"
import { deadLetterOf } from "./delivery.ts"
import type { Publisher } from "./publisher.ts"
import { declareQueue, queueName, routingKey } from "./topology.ts"

type Found = { readonly letter: DeadLetter; readonly message: GetMessage }

/**
 * Takes every dead letter of a stage that is chosen, once: those seen stay unacked on the channel, and go back to their
 * places when it is closed.
 */
async function* lettersOf(channel: Channel, stage: StageName, ids: ReadonlySet<string> | null): AsyncGenerator<Found> {
  const { messageCount } = await declareQueue(channel, stage, ".dead")
  for (let i = 0; i < messageCount; i++) {
    const message = await channel.get(queueName(stage, ".dead"))
    if (!message) return
    const letter = deadLetterOf(stage, message)
    if (ids === null || ids.has(letter.id)) yield { letter, message }
  }
}

async function* chosen(channel: Channel, { stage, ids }: DeadLetterChoice): AsyncGenerator<Found> {
  for (const s of stage ? [stage] : STAGE_NAMES) yield* lettersOf(channel, s, ids ? new Set(ids) : null)
}

export const listDeadLetters = async (
  channel: Channel,
  choice: DeadLetterChoice,
  limit: number,
): Promise<DeadLetter[]> => {
  const letters: DeadLetter[] = []
  if (limit > 0)
    for await (const { letter } of chosen(channel, choice)) {
      letters.push(letter)
      if (letters.length >= limit) break
    }
  return letters
}

export const requeueDeadLetters = async (
  channel: Channel,
  publish: Publisher["publish"],
  choice: DeadLetterChoice,
): Promise<number> => {
  let n = 0
  for await (const { letter, message } of chosen(channel, choice)) {
    const { stage, id, body } = letter
    await publish([{ key: routingKey(stage), id, body }])
    channel.ack(message)
    n++
  }
  return n
}
