import type { Channel, GetMessage } from "amqplib"
import { AppError } from "../../domain/errors.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { DeadLetter, DeadLetterChoice } from "../types.ts"
import { withTimeout } from "./connection.ts"
import { deadLetterOf } from "./delivery.ts"
import type { Publisher } from "./publisher.ts"
import { declareQueue, queueName, routingKey } from "./topology.ts"

const ANSWER_MS = 5_000

const leaderless = (name: string): string =>
  `The broker is there, but its queue ${name} does not answer: it has no leader. docs/reliability.md says what to do.`

type Found = { readonly letter: DeadLetter; readonly message: GetMessage }

/**
 * Takes the dead letters of a stage that are chosen, each once: those seen stay unacked on the channel, so the broker
 * does not offer them again. Ends at what died after `from`: a consumer may refuse again at once what was requeued.
 */
async function* lettersOf(channel: Channel, stage: StageName, ids: ReadonlySet<string> | null, from: number) {
  await declareQueue(channel, stage, ".dead")
  for (;;) {
    const name = queueName(stage, ".dead")
    const message = await withTimeout(channel.get(name), ANSWER_MS, () => new AppError("unavailable", leaderless(name)))
    if (!message) return
    const letter = deadLetterOf(stage, message)
    if ((letter.deadAt ?? 0) > from) return
    if (ids === null || ids.has(letter.id)) yield { letter, message }
  }
}

async function* chosen(channel: Channel, { stage, ids }: DeadLetterChoice): AsyncGenerator<Found> {
  const from = Date.now()
  for (const s of stage ? [stage] : STAGE_NAMES) yield* lettersOf(channel, s, ids ? new Set(ids) : null, from)
}

/** Puts what was only looked at back into its place, and waits until the broker has done so. */
const putBack = async (channel: Channel, stage: StageName | undefined): Promise<void> => {
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
    for await (const { letter } of chosen(channel, choice)) {
      letters.push(letter)
      if (letters.length >= limit) break
    }
  await putBack(channel, choice.stage)
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
  await putBack(channel, choice.stage)
  return n
}
