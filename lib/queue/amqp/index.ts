import type { Channel } from "amqplib"
import { AppError, messageOf } from "../../domain/errors.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Logger } from "../../platform/logger.ts"
import type { Broker, BrokerHealth, QueueStats } from "../types.ts"
import { type AmqpConnection, openReconnectingConnection, withTimeout } from "./connection.ts"
import { consumeWithReconnect, type StageSubscription } from "./consumer.ts"
import { dropDeadLetters, listDeadLetters, requeueDeadLetters } from "./dead-letters.ts"
import { createPublisher, type Publisher } from "./publisher.ts"
import { createTopology, declareExchange, declareQueue, routingKey } from "./topology.ts"

const CHANNEL_TIMEOUT_MS = 2_000
const RESPONSE_TIMEOUT_MS = 10_000
const CLOSE_TIMEOUT_MS = 1_000

export type AmqpBrokerOptions = {
  /** amqp:// or amqps:// URLs with credentials and virtual host. Several are nodes of one cluster. */
  readonly urls: readonly string[]
  readonly log: Logger
}

const byStage = <T>(entries: readonly (readonly [StageName, T])[]): Record<StageName, T> =>
  Object.fromEntries(entries) as Record<StageName, T>

/**
 * Opens the queue on RabbitMQ 3.10 or later, without waiting for a connection. It uses two connections, because a broker with a
 * full disk stops reading from publishing connections, and acks must still get through. The publishing connection is opened
 * with the first message.
 */
export const openAmqpBroker = ({ urls, log }: AmqpBrokerOptions): Broker => {
  const reading = openReconnectingConnection(urls, "consumer", log)
  const topology = createTopology()
  let writing: { link: AmqpConnection; publisher: Publisher } | null = null
  const subscriptions = new Map<StageSubscription, StageName>()
  const failures = new Map<StageName, unknown>()
  let lastActivityAt: number | undefined

  const recordActivity = <T>(result: T): T => {
    lastActivityAt = Date.now()
    return result
  }
  const publish: Publisher["publish"] = (envelopes) => {
    if (!writing) {
      const link = openReconnectingConnection(urls, "publisher", log)
      writing = { link, publisher: createPublisher(link, topology) }
    }
    return writing.publisher.publish(envelopes)
  }

  /** Runs `use` with a channel and closes it. Closing also returns unacknowledged messages to their queues. */
  const withChannel = async <T>(use: (channel: Channel) => Promise<T>): Promise<T> => {
    const channel = await reading.channel(CHANNEL_TIMEOUT_MS)
    channel.on("error", () => undefined)
    try {
      await declareExchange(channel)
      return await use(channel)
    } catch (error) {
      throw AppError.is(error)
        ? error
        : new AppError("unavailable", `A request to the broker failed: ${messageOf(error)}.`, {
            retry: "retry",
            cause: error,
          })
    } finally {
      await withTimeout(
        channel.close(),
        CLOSE_TIMEOUT_MS,
        () => new Error("The broker did not confirm the close."),
      ).catch(() => undefined)
    }
  }
  const withResponseTimeout = <T>(work: Promise<T>): Promise<T> =>
    withTimeout(
      work,
      RESPONSE_TIMEOUT_MS,
      () => new AppError("unavailable", "The broker did not respond in time.", { retry: "retry" }),
    )

  const countMessages = () =>
    withResponseTimeout(
      withChannel((channel) =>
        Promise.all(
          STAGE_NAMES.map(async (stage) => {
            // Concurrent, because a rejection that is not awaited yet would end the process.
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
      recordActivity(null)
    },

    consume: async (stage, handler, { concurrency }) => {
      const report = (problem: unknown): void => {
        if (problem === null) failures.delete(stage)
        else {
          failures.set(stage, problem)
          log.warn({ stage, detail: messageOf(problem) }, "consumer interrupted")
        }
      }
      const deliver: typeof handler = async (delivery) => recordActivity(await handler(recordActivity(delivery)))
      const subscription = consumeWithReconnect(reading, {
        stage,
        concurrency,
        handler: deliver,
        publish,
        report,
        topology,
      })
      subscriptions.set(subscription, stage)
      return {
        stop: async (drain) => {
          await subscription.stop(drain)
          subscriptions.delete(subscription)
        },
      }
    },

    depth: async () => {
      const counts = await countMessages()
      const countInFlight = (stage: StageName) =>
        [...subscriptions].reduce((n, [s, of]) => n + (of === stage ? s.inFlightCount() : 0), 0)
      return byStage(counts.map((c) => [c.stage, c.ready.messageCount + c.later.messageCount + countInFlight(c.stage)]))
    },

    stats: async () => {
      const counts = await countMessages()
      return byStage(
        counts.map((c): [StageName, QueueStats] => [
          c.stage,
          { waiting: c.ready.messageCount, consumers: c.ready.consumerCount },
        ]),
      )
    },

    deadLetters: ({ limit, ...choice }) =>
      withResponseTimeout(withChannel((channel) => listDeadLetters(channel, choice, limit))),
    requeueDeadLetters: (choice) => withChannel((channel) => requeueDeadLetters(channel, publish, choice)),
    dropDeadLetters: (choice) => withChannel((channel) => dropDeadLetters(channel, choice)),

    health: (): BrokerHealth => {
      const activity = lastActivityAt === undefined ? {} : { lastActivityAt }
      const links = [reading, ...(writing ? [writing.link] : [])].map((link) => link.health())
      const unhealthy = links.find((h) => h.state === "down") ?? links.find((h) => h.state === "degraded")
      if (unhealthy) return { ...unhealthy, ...activity }
      const [failed] = failures
      if (failed) return { state: "degraded", detail: `${failed[0]}: ${messageOf(failed[1])}`, ...activity }
      return { state: "ok", ...activity }
    },

    // Consumers first, because they publish deferred messages. Then pending confirms, then the connections.
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
