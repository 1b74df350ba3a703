import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import type { Channel, ConfirmChannel } from "amqplib"
import { AppError, messageOf } from "../../domain/errors.ts"
import type { StageName } from "../../domain/jobs/stages.ts"
import { PublishError } from "../publish-error.ts"
import { type AmqpConnection, withTimeout } from "./connection.ts"
import { EXCHANGE, stageOfKey, type Topology } from "./topology.ts"

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
   * Resolves when every message is in a queue, on disk. Messages are sent without waiting for each other's confirm.
   * @throws PublishError if the queues of some stages did not confirm, AppError `unavailable` if the broker accepts no messages
   */
  publish(envelopes: readonly Envelope[]): Promise<void>
  /** Accepts no more messages and waits up to `drainMs` for outstanding confirms. */
  close(options: { drainMs: number }): Promise<void>
}

const publishError = (why: string): AppError =>
  new AppError("unavailable", `Couldn't publish a message: ${why}.`, { retry: "retry" })

type Failure = { readonly id: string; readonly why: string }

/**
 * Creates a publisher with one confirm channel, which is opened on first use and reopened when lost. The queues of a stage are
 * declared on a channel of their own, so that one that does not respond delays no other stage.
 */
export const createPublisher = (connection: AmqpConnection, topology: Topology): Publisher => {
  let opening: Promise<ConfirmChannel> | null = null
  let closed = false
  let tags = 0
  const missingAt = new Map<StageName, number>()
  const declared = new Map<StageName, Promise<void>>()
  const returned = new Set<string>()
  const inFlight = new Set<Promise<unknown>>()

  const openChannel = async (): Promise<ConfirmChannel> => {
    const channel = await connection.confirmChannel(CHANNEL_MS)
    channel.on("error", () => undefined)
    // An unroutable message is returned first and then confirmed nevertheless.
    channel.on("return", ({ properties }) => returned.add(String(properties.correlationId)))
    return channel
  }
  const getChannel = (): Promise<ConfirmChannel> => {
    if (opening) return opening
    const fresh = openChannel()
    const forget = (): void => {
      if (opening === fresh) opening = null
      // The broker may have lost its queues, too.
      declared.clear()
    }
    opening = fresh
    fresh.then((channel) => channel.once("close", forget), forget)
    return fresh
  }

  const declareOn = async (channel: Channel, stage: StageName): Promise<void> => {
    channel.on("error", () => undefined)
    try {
      const late = () => new Error(`the queue of stage ${stage} does not respond`)
      await withTimeout(topology.declare(channel, stage), CONFIRM_TIMEOUT_MS, late)
    } finally {
      channel.close().catch(() => undefined)
    }
  }
  /** Declares the queues of a stage once per connection. */
  const declare = (stage: StageName): Promise<void> => {
    const known = declared.get(stage)
    if (known) return known
    const work = (async () => {
      await pause(Math.max(0, (missingAt.get(stage) ?? Number.NEGATIVE_INFINITY) + REDECLARE_MS - Date.now()))
      await declareOn(await connection.channel(CHANNEL_MS), stage)
    })()
    declared.set(stage, work)
    work.catch(() => {
      if (declared.get(stage) === work) declared.delete(stage)
    })
    return work
  }

  const send = (channel: ConfirmChannel, { key, id, body, headers = {}, expiresInMs }: Envelope) => {
    const tag = String(++tags)
    let hasBufferSpace = true
    const confirmed = new Promise<Failure | null>((resolve) => {
      const timer = setTimeout(
        () => resolve({ id, why: `no confirm within ${CONFIRM_TIMEOUT_MS / 1000} s` }),
        CONFIRM_TIMEOUT_MS,
      )
      const settle = (why: string | null): void => {
        clearTimeout(timer)
        resolve(why === null ? null : { id, why })
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
            const stage = stageOfKey(key)
            missingAt.set(stage, Date.now())
            declared.delete(stage)
            topology.forget(stage)
            settle(`no queue is bound to '${key}'`)
          } else settle(error ? `the queue of '${key}' refused it (${messageOf(error)})` : null)
        })
      } catch (error) {
        settle(messageOf(error))
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

  const sendAll = async (
    channel: ConfirmChannel,
    envelopes: readonly Envelope[],
  ): Promise<readonly (Failure | null)[]> => {
    const confirms: Promise<Failure | null>[] = []
    for (const envelope of envelopes) {
      const { confirmed, hasBufferSpace } = send(channel, envelope)
      confirms.push(confirmed)
      if (!hasBufferSpace) await waitForDrain(channel)
    }
    return Promise.all(confirms)
  }
  /** Sends the messages of one stage. Never throws. */
  const publishStage = async (
    channel: ConfirmChannel,
    stage: StageName,
    envelopes: readonly Envelope[],
  ): Promise<readonly Failure[]> => {
    try {
      await declare(stage)
      return (await sendAll(channel, envelopes)).filter((failure) => failure !== null)
    } catch (error) {
      return envelopes.map(({ id }) => ({ id, why: messageOf(error).replace(/\.$/, "") }))
    }
  }

  const publish = async (envelopes: readonly Envelope[]): Promise<void> => {
    const blocked = connection.blocked()
    if (blocked !== null) throw publishError(`the broker accepts none at the moment (${blocked})`)
    const channel = await getChannel()
    const stages = new Set(envelopes.map(({ key }) => stageOfKey(key)))
    const failures = await Promise.all(
      [...stages].map((stage) =>
        publishStage(
          channel,
          stage,
          envelopes.filter(({ key }) => stageOfKey(key) === stage),
        ),
      ),
    )
    const [first, ...others] = failures.flat()
    if (first)
      throw new PublishError(
        [first, ...others].map((f) => f.id),
        first.why,
      )
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
      await withTimeout(Promise.allSettled(inFlight), drainMs, () => new Error("closing timed out")).catch(
        () => undefined,
      )
    },
  }
}
