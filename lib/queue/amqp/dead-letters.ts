import type { Channel, GetMessage } from "amqplib"
import { AppError } from "../../domain/errors.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { DeadLetter, DeadLetterChoice } from "../types.ts"
import { withTimeout } from "./connection.ts"
import { toDeadLetter } from "./delivery.ts"
import type { Publisher } from "./publisher.ts"
import { declareQueue, queueName, routingKey } from "./topology.ts"

const RESPONSE_TIMEOUT_MS = 5_000

const noLeaderMessage = (name: string): string =>
  `The queue ${name} of the broker does not respond, probably because it has no leader. See docs/reliability.md.`

type Found = { readonly letter: DeadLetter; readonly message: GetMessage }

/**
 * Yields the selected dead letters of a stage once each. They stay unacknowledged on the channel, so that the broker does not
 * deliver them again. Reads as many as were there at the start, because a requeued message may be dead-lettered again
 * immediately. The first message says how many follow; the count of a declaration may be out of date.
 */
async function* readDeadLetters(channel: Channel, stage: StageName, ids: ReadonlySet<string> | null) {
  const name = queueName(stage, ".dead")
  await declareQueue(channel, stage, ".dead")
  let left: number | null = null
  while (left === null || left > 0) {
    const message = await withTimeout(
      channel.get(name),
      RESPONSE_TIMEOUT_MS,
      () => new AppError("unavailable", noLeaderMessage(name)),
    )
    if (!message) return
    left = left === null ? message.fields.messageCount : left - 1
    const letter = toDeadLetter(stage, message)
    if (ids === null || ids.has(letter.id)) yield { letter, message }
  }
}

async function* readSelected(channel: Channel, { stage, ids }: DeadLetterChoice): AsyncGenerator<Found> {
  for (const s of stage ? [stage] : STAGE_NAMES) yield* readDeadLetters(channel, s, ids ? new Set(ids) : null)
}

/** Returns unacknowledged letters to their queue and waits until the broker has done so. */
const releaseAll = async (channel: Channel, stage: StageName | undefined): Promise<void> => {
  channel.nackAll(true)
  await Promise.all((stage ? [stage] : STAGE_NAMES).map((s) => declareQueue(channel, s, ".dead")))
}

export const listDeadLetters = async (
  channel: Channel,
  choice: DeadLetterChoice,
  limit: number,
): Promise<DeadLetter[]> => {
  const letters: DeadLetter[] = []
  if (limit > 0)
    for await (const { letter } of readSelected(channel, choice)) {
      letters.push(letter)
      if (letters.length >= limit) break
    }
  await releaseAll(channel, choice.stage)
  return letters
}

export const requeueDeadLetters = async (
  channel: Channel,
  publish: Publisher["publish"],
  choice: DeadLetterChoice,
): Promise<number> => {
  let n = 0
  for await (const { letter, message } of readSelected(channel, choice)) {
    const { stage, id, body } = letter
    await publish([{ key: routingKey(stage), id, body }])
    channel.ack(message)
    n++
  }
  await releaseAll(channel, choice.stage)
  return n
}

export const dropDeadLetters = async (channel: Channel, choice: DeadLetterChoice): Promise<number> => {
  let n = 0
  for await (const { message } of readSelected(channel, choice)) {
    channel.ack(message)
    n++
  }
  await releaseAll(channel, choice.stage)
  return n
}
