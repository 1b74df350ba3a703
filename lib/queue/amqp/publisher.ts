import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import type { ConfirmChannel } from "amqplib"
import { AppError, messageOf } from "../../domain/errors.ts"
import { type Link, withTimeout } from "./connection.ts"
import { declareStages, EXCHANGE } from "./topology.ts"

/** How long a message may be on its way to the broker's disks. */
const CONFIRM_MS = 10_000
const CHANNEL_MS = 2_000
/**
 * Before a queue that was missing is declared anew. RabbitMQ 3.10 forgets to tell the consumers of a deleted queue when
 * another of its name follows within some 20 ms, and they would stay on it without ever getting a message.
 */
const REDECLARE_MS = 500

export type Envelope = {
  readonly key: string
  readonly id: string
  readonly body: string
  readonly headers?: Readonly<Record<string, unknown>>
  /** Milliseconds after which the broker takes it out of the queue again. */
  readonly expiresInMs?: number
}

export type Publisher = {
  /**
   * Resolves when every message lies in a queue, on disk. Messages go out one after the other without waiting for each
   * other's confirm; when one fails the rest may have arrived.
   * @throws AppError `unavailable` (retry)
   */
  publish(envelopes: readonly Envelope[]): Promise<void>
  /** Waits for confirms that are due, at most so long; takes no more. */
  close(options: { drainMs: number }): Promise<void>
}

const failed = (why: string): AppError =>
  new AppError("unavailable", `The broker did not take a message: ${why}.`, { retry: "retry" })

/** Publishes over one confirm channel, opened on first use and again when it was lost. */
export const createPublisher = (link: Link): Publisher => {
  let opening: Promise<ConfirmChannel> | null = null
  let closed = false
  let tags = 0
  let missingAt = Number.NEGATIVE_INFINITY
  const returned = new Set<string>()
  const underWay = new Set<Promise<unknown>>()

  const openChannel = async (): Promise<ConfirmChannel> => {
    await pause(Math.max(0, missingAt + REDECLARE_MS - Date.now()))
    const channel = await link.confirmChannel(CHANNEL_MS)
    channel.on("error", () => undefined)
    // A message that no queue takes comes back, and is confirmed all the same right after.
    channel.on("return", ({ properties }) => returned.add(String(properties.correlationId)))
    await withTimeout(declareStages(channel), CONFIRM_MS, () => failed("its queues could not be declared"))
    return channel
  }
  const channelOf = (): Promise<ConfirmChannel> => {
    if (opening) return opening
    const fresh = openChannel()
    const forget = (): void => {
      if (opening === fresh) opening = null
    }
    opening = fresh
    fresh.then((channel) => channel.once("close", forget), forget)
    return fresh
  }
  /** The next message gets a new channel, and with it the queues declared anew. */
  const abandon = (channel: ConfirmChannel): void => {
    opening = null
    channel.close().catch(() => undefined)
  }

  const send = (channel: ConfirmChannel, { key, id, body, headers = {}, expiresInMs }: Envelope) => {
    const tag = String(++tags)
    let room = true
    const confirmed = new Promise<AppError | null>((resolve) => {
      const timer = setTimeout(() => resolve(failed(`no confirm within ${CONFIRM_MS / 1000} s`)), CONFIRM_MS)
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
        room = channel.publish(EXCHANGE, key, Buffer.from(body), options, (error: unknown) => {
          if (returned.delete(tag)) {
            missingAt = Date.now()
            settle(failed(`no queue takes '${key}'`))
          } else settle(error ? failed(messageOf(error)) : null)
        })
      } catch (error) {
        settle(failed(messageOf(error)))
      }
    })
    return { confirmed, room }
  }

  const drained = async (channel: ConfirmChannel): Promise<void> => {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(CONFIRM_MS)])
    const events = ["drain", "close"].map((event) => once(channel, event, { signal }))
    await Promise.race(events).catch(() => undefined)
    over.abort()
    await Promise.allSettled(events)
  }

  const publish = async (envelopes: readonly Envelope[]): Promise<void> => {
    const blocked = link.blocked()
    if (blocked !== null) throw failed(`it takes none for now (${blocked})`)
    const channel = await channelOf()
    const confirms: Promise<AppError | null>[] = []
    for (const envelope of envelopes) {
      const { confirmed, room } = send(channel, envelope)
      confirms.push(confirmed)
      if (!room) await drained(channel)
    }
    const failure = (await Promise.all(confirms)).find((f) => f !== null)
    if (!failure) return
    abandon(channel)
    throw failure
  }

  return {
    publish: async (envelopes) => {
      if (envelopes.length === 0) return
      if (closed) throw failed("this process is ending")
      const work = publish(envelopes)
      underWay.add(work)
      await work.finally(() => underWay.delete(work))
    },
    close: async ({ drainMs }) => {
      closed = true
      await withTimeout(Promise.allSettled(underWay), drainMs, () => failed("time is up")).catch(() => undefined)
    },
  }
}
