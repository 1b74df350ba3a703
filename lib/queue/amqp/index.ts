import type { Channel } from "amqplib"
import { AppError, messageOf } from "../../domain/errors.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Logger } from "../../platform/logger.ts"
import type { Broker, BrokerHealth, QueueStats } from "../types.ts"
import { type Link, openReconnectingConnection, withTimeout } from "./connection.ts"
import { consumeWithReconnect, type StageSubscription } from "./consumer.ts"
import { listDeadLetters, requeueDeadLetters } from "./dead-letters.ts"
import { createPublisher, type Publisher } from "./publisher.ts"
import { declareExchange, declareQueue, routingKey } from "./topology.ts"

const CHANNEL_MS = 2_000
const ANSWER_MS = 10_000
const GOODBYE_MS = 1_000

export type AmqpBrokerOptions = {
  /** amqp:// or amqps://, with credentials and virtual host; several are nodes of one cluster. */
  readonly urls: readonly string[]
  readonly log: Logger
}

const byStage = <T>(entries: readonly (readonly [StageName, T])[]): Record<StageName, T> =>
  Object.fromEntries(entries) as Record<StageName, T>

/**
 * The queue on RabbitMQ, 3.10 or later. Opens at once, whether the broker is there or not. Two connections, because a
 * broker that is low on disk stops reading from those that publish, and acks must still get through: one publishes (opened
 * with the first message), the other consumes and looks.
 */
export const openAmqpBroker = ({ urls, log }: AmqpBrokerOptions): Broker => {
  const reading = openReconnectingConnection(urls, "consumer", log)
  let writing: { link: Link; publisher: Publisher } | null = null
  const subscriptions = new Map<StageSubscription, StageName>()
  const failures = new Map<StageName, unknown>()
  let lastActivityAt: number | undefined

  const active = <T>(result: T): T => {
    lastActivityAt = Date.now()
    return result
  }
  const publish: Publisher["publish"] = (envelopes) => {
    if (!writing) {
      const link = openReconnectingConnection(urls, "publisher", log)
      writing = { link, publisher: createPublisher(link) }
    }
    return writing.publisher.publish(envelopes)
  }

  /** A channel for one look; closed whatever happens, which also puts back what was only looked at. */
  const look = async <T>(use: (channel: Channel) => Promise<T>): Promise<T> => {
    const channel = await reading.channel(CHANNEL_MS)
    channel.on("error", () => undefined)
    try {
      await declareExchange(channel)
      return await use(channel)
    } catch (error) {
      throw AppError.is(error)
        ? error
        : new AppError("unavailable", `The broker gave no answer: ${messageOf(error)}.`, {
            retry: "retry",
            cause: error,
          })
    } finally {
      await withTimeout(channel.close(), GOODBYE_MS, () => new Error("no goodbye")).catch(() => undefined)
    }
  }
  const bounded = <T>(work: Promise<T>): Promise<T> =>
    withTimeout(work, ANSWER_MS, () => new AppError("unavailable", "The broker does not answer.", { retry: "retry" }))

  const survey = () =>
    bounded(
      look((channel) =>
        Promise.all(
          STAGE_NAMES.map(async (stage) => {
            // Together: when the channel ends, a second one that nobody awaits yet would end the process.
            const [ready, later] = await Promise.all(
              (["", ".later"] as const).map((kind) => declareQueue(channel, stage, kind)),
            )
            return { stage, ready: ready!, later: later! }
          }),
        ),
      ),
    )

  return {
    kind: "rabbitmq",

    publish: async (messages) => {
      await publish(messages.map(({ stage, id, body }) => ({ key: routingKey(stage), id, body })))
      active(null)
    },

    consume: async (stage, handler, { concurrency }) => {
      const report = (problem: unknown): void => {
        if (problem === null) failures.delete(stage)
        else {
          failures.set(stage, problem)
          log.warn({ stage, detail: messageOf(problem) }, "consumer interrupted")
        }
      }
      const deliver: typeof handler = async (delivery) => active(await handler(active(delivery)))
      const subscription = consumeWithReconnect(reading, { stage, concurrency, handler: deliver, publish, report })
      subscriptions.set(subscription, stage)
      return {
        stop: async (drain) => {
          await subscription.stop(drain)
          subscriptions.delete(subscription)
        },
      }
    },

    depth: async () => {
      const counts = await survey()
      const inHand = (stage: StageName) =>
        [...subscriptions].reduce((n, [s, of]) => n + (of === stage ? s.inHand() : 0), 0)
      return byStage(counts.map((c) => [c.stage, c.ready.messageCount + c.later.messageCount + inHand(c.stage)]))
    },

    stats: async () => {
      const counts = await survey()
      return byStage(
        counts.map((c): [StageName, QueueStats] => [
          c.stage,
          { waiting: c.ready.messageCount, consumers: c.ready.consumerCount },
        ]),
      )
    },

    deadLetters: ({ limit, ...choice }) => bounded(look((channel) => listDeadLetters(channel, choice, limit))),
    requeueDeadLetters: (choice) => look((channel) => requeueDeadLetters(channel, publish, choice)),

    health: (): BrokerHealth => {
      const activity = lastActivityAt === undefined ? {} : { lastActivityAt }
      const links = [reading, ...(writing ? [writing.link] : [])].map((link) => link.health())
      const troubled = links.find((h) => h.state === "down") ?? links.find((h) => h.state === "degraded")
      if (troubled) return { ...troubled, ...activity }
      const [failed] = failures
      if (failed) return { state: "degraded", detail: `${failed[0]}: ${messageOf(failed[1])}`, ...activity }
      return { state: "ok", ...activity }
    },

    // Consumers first, for they publish what they put off; then what is still under way; then the connections.
    close: async (drain) => {
      await Promise.all([...subscriptions.keys()].map((s) => s.stop(drain)))
      subscriptions.clear()
      if (writing) {
        await writing.publisher.close(drain)
        await writing.link.close()
      }
      await reading.close()
    },
  }
}
