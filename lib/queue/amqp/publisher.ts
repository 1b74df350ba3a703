import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import type { ConfirmChannel } from "amqplib"
import { AppError, messageOf } from "../../domain/errors.ts"
import { type AmqpConnection, withTimeout } from "./connection.ts"
import { declareStages, EXCHANGE } from "./topology.ts"

/** How long the broker may take to confirm a message. */
const CONFIRM_TIMEOUT_MS = 10_000
const CHANNEL_MS = 2_000
/**
 * The delay before a missing queue is declared again. RabbitMQ 3.10 does not notify the consumers of a deleted queue if a queue
 * with the same name follows within about 20 ms, and they would never get another message.
 */
const REDECLARE_MS = 500

export type Envelope = {
  readonly key: string
  readonly id: string
  readonly body: string
  readonly headers?: Readonly<Record<string, unknown>>
  /** The time after which the broker removes the message from the queue. */
  readonly expiresInMs?: number
}

export type Publisher = {
  /**
   * Resolves when every message is in a queue, on disk. Messages are sent without waiting for each other's confirm. If one
   * fails, others may have arrived.
   * @throws AppError `unavailable` (retry)
   */
  publish(envelopes: readonly Envelope[]): Promise<void>
  /** Accepts no more messages and waits up to `drainMs` for outstanding confirms. */
  close(options: { drainMs: number }): Promise<void>
}

const publishError = (why: string): AppError =>
  new AppError("unavailable", `Couldn't publish a message: ${why}.`, { retry: "retry" })

/** Creates a publisher with one confirm channel, which is opened on first use and reopened when lost. */
export const createPublisher = (connection: AmqpConnection): Publisher => {
  let opening: Promise<ConfirmChannel> | null = null
  let closed = false
  let tags = 0
  let missingAt = Number.NEGATIVE_INFINITY
  const returned = new Set<string>()
  const inFlight = new Set<Promise<unknown>>()

  const openChannel = async (): Promise<ConfirmChannel> => {
    await pause(Math.max(0, missingAt + REDECLARE_MS - Date.now()))
    const channel = await connection.confirmChannel(CHANNEL_MS)
    channel.on("error", () => undefined)
    // An unroutable message is returned first and then confirmed nevertheless.
    channel.on("return", ({ properties }) => returned.add(String(properties.correlationId)))
    await withTimeout(declareStages(channel), CONFIRM_TIMEOUT_MS, () => publishError("declaring the queues timed out"))
    return channel
  }
  const getChannel = (): Promise<ConfirmChannel> => {
    if (opening) return opening
    const fresh = openChannel()
    const forget = (): void => {
      if (opening === fresh) opening = null
    }
    opening = fresh
    fresh.then((channel) => channel.once("close", forget), forget)
    return fresh
  }
  /** Makes the next message open a new channel, which declares the queues again. */
  const abandon = (channel: ConfirmChannel): void => {
    opening = null
    channel.close().catch(() => undefined)
  }

  const send = (channel: ConfirmChannel, { key, id, body, headers = {}, expiresInMs }: Envelope) => {
    const tag = String(++tags)
    let hasBufferSpace = true
    const confirmed = new Promise<AppError | null>((resolve) => {
      const timer = setTimeout(
        () => resolve(publishError(`no confirm within ${CONFIRM_TIMEOUT_MS / 1000} s`)),
        CONFIRM_TIMEOUT_MS,
      )
      const settle = (failure: AppError | null): void => {
        clearTimeout(timer)
        resolve(failure)
      }
      const options = {
        persistent: true,
        mandatory: true,
        messageId: id,
        correlationId: tag,
        timestamp: Math.floor(Date.now() / 1000),
        contentType: "application/json",
        headers,
        ...(expiresInMs === undefined ? {} : { expiration: String(Math.ceil(expiresInMs)) }),
      }
      try {
        hasBufferSpace = channel.publish(EXCHANGE, key, Buffer.from(body), options, (error: unknown) => {
          if (returned.delete(tag)) {
            missingAt = Date.now()
            settle(publishError(`no queue is bound to '${key}'`))
          } else settle(error ? publishError(messageOf(error)) : null)
        })
      } catch (error) {
        settle(publishError(messageOf(error)))
      }
    })
    return { confirmed, hasBufferSpace }
  }

  const waitForDrain = async (channel: ConfirmChannel): Promise<void> => {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(CONFIRM_TIMEOUT_MS)])
    const events = ["drain", "close"].map((event) => once(channel, event, { signal }))
    await Promise.race(events).catch(() => undefined)
    over.abort()
    await Promise.allSettled(events)
  }

  const publish = async (envelopes: readonly Envelope[]): Promise<void> => {
    const blocked = connection.blocked()
    if (blocked !== null) throw publishError(`the broker accepts none at the moment (${blocked})`)
    const channel = await getChannel()
    const confirms: Promise<AppError | null>[] = []
    for (const envelope of envelopes) {
      const { confirmed, hasBufferSpace } = send(channel, envelope)
      confirms.push(confirmed)
      if (!hasBufferSpace) await waitForDrain(channel)
    }
    const failure = (await Promise.all(confirms)).find((f) => f !== null)
    if (!failure) return
    abandon(channel)
    throw failure
  }

  return {
    publish: async (envelopes) => {
      if (envelopes.length === 0) return
      if (closed) throw publishError("this process is shutting down")
      const work = publish(envelopes)
      inFlight.add(work)
      await work.finally(() => inFlight.delete(work))
    },
    close: async ({ drainMs }) => {
      closed = true
      await withTimeout(Promise.allSettled(inFlight), drainMs, () => publishError("closing timed out")).catch(
        () => undefined,
      )
    },
  }
}
