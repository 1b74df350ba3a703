import {
  type Channel,
  type ChannelModel,
  type ConfirmChannel,
  connect,
  type Options,
  type RecoveringChannelModel,
} from "amqplib"
import { AppError, messageOf } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"
import type { BrokerHealth } from "../types.ts"

const CONNECT_MS = 10_000
const HEARTBEAT_S = 15
/** First and longest pause between two attempts to connect. */
const RETRY_MS = { initialDelay: 200, maxDelay: 5_000 }
/** A goodbye that is not answered in this time is not waited for. */
const CLOSE_MS = 1_000

/** A connection that comes back by itself, and where it stands. */
export type Link = {
  /**
   * A channel of its own. Whoever opens one listens to its `error` before anything else is done with it.
   * @throws AppError `unavailable` (retry) when there is no connection within `waitMs`
   */
  channel(waitMs: number): Promise<Channel>
  confirmChannel(waitMs: number): Promise<ConfirmChannel>
  health(): BrokerHealth
  /** Why the broker takes no messages for now, although it is there: low on disk or memory. Null: it takes them. */
  blocked(): string | null
  /** Never throws; channels still open are gone. */
  close(): Promise<void>
}

type Address = { readonly place: string; readonly connect: Options.Connect }

/** A heartbeat finds a peer that is gone without a word; the setting in the address wins. */
const addressOf = (url: string): Address => {
  const { protocol, host, hostname, port, pathname, username, password, searchParams } = new URL(url)
  const given = (name: string): Record<string, number> => {
    const value = searchParams.get(name)
    return value === null ? {} : { [name]: Number.parseInt(value, 10) }
  }
  return {
    // Without the credentials, for people.
    place: `${protocol}//${host}${pathname}`,
    connect: {
      protocol: protocol.slice(0, -1),
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port) || (protocol === "amqps:" ? 5671 : 5672),
      username: decodeURIComponent(username) || "guest",
      password: decodeURIComponent(password) || "guest",
      vhost: pathname.slice(1),
      heartbeat: HEARTBEAT_S,
      ...given("heartbeat"),
      ...given("frameMax"),
      ...given("channelMax"),
    },
  }
}

/** Rejects after `ms`; what arrives later is handed to `late`. */
export const withTimeout = async <T>(work: Promise<T>, ms: number, why: () => Error, late?: (value: T) => void) => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(why())
      if (late) work.then(late, () => undefined)
    }, ms)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Connects in the background and again whenever the connection is lost, so that a broker that is down keeps nobody from
 * starting. Of several addresses, the nodes of one cluster, the next is tried when one does not answer or is lost.
 * @param name what the connection is for, as the broker's own tools show it
 */
export const openReconnectingConnection = (urls: readonly string[], name: string, log: Logger): Link => {
  const addresses = urls.map(addressOf)
  const places = addresses.map((a) => a.place).join(", ")
  let at = 0
  let { place } = addresses[at]!
  // amqplib reads it anew for each attempt.
  const target: Options.Connect = { ...addresses[at]!.connect }
  let connected = false
  let trouble: string | null = null
  let blocked: string | null = null
  const waiting = new Set<() => void>()

  const lost = (error: Error): void => {
    if (connected || trouble === null)
      log.warn({ broker: place, detail: messageOf(error) }, "no connection to the broker")
    connected = false
    blocked = null
    trouble = messageOf(error) || "the connection was closed"
    const next = addresses[++at % addresses.length]!
    place = next.place
    Object.assign(target, next.connect)
  }
  const listen = (model: RecoveringChannelModel): RecoveringChannelModel =>
    model
      .on("error", () => undefined) // `disconnect` follows and brings it, too.
      .on("disconnect", lost)
      .on("connect-failed", lost)
      .on("connect", () => {
        connected = true
        trouble = null
        log.info({ broker: place, purpose: name }, "connected to the broker")
        for (const go of [...waiting]) go()
      })
      .on("blocked", (reason) => {
        blocked = reason
        log.warn({ broker: place, reason }, "the broker takes no messages for now")
      })
      .on("unblocked", () => {
        blocked = null
      })
  // Resolves before the first attempt begins, because nothing waits for the connection: no event is missed.
  const opened = connect(target, {
    // Nagle's algorithm would hold each small frame back for 40 ms.
    noDelay: true,
    keepAlive: true,
    timeout: CONNECT_MS,
    clientProperties: { connection_name: `earmark ${name}` },
    recovery: {
      ...RETRY_MS,
      waitForConnect: false,
      // Between the handshake and `connect` nobody else listens, and an error without a listener ends the process.
      setup: async (fresh: ChannelModel) => void fresh.on("error", () => undefined),
    },
  }).then(listen)

  const unavailable = (): AppError =>
    new AppError("unavailable", `No connection to the broker at ${places}: ${trouble ?? "no answer yet"}.`, {
      retry: "retry",
    })
  // Not left to the model, which would park every asker without a limit and then open a channel for each.
  const whenConnected = (waitMs: number): Promise<void> => {
    if (connected) return Promise.resolve()
    let go = () => {}
    const waits = new Promise<void>((resolve) => {
      go = resolve
      waiting.add(go)
    })
    return withTimeout(waits, waitMs, unavailable).finally(() => waiting.delete(go))
  }
  const open = async <C extends Channel>(waitMs: number, make: () => Promise<C>): Promise<C> => {
    await whenConnected(waitMs)
    try {
      return await withTimeout(make(), waitMs, unavailable, (late) => void late.close().catch(() => undefined))
    } catch (error) {
      // Lost between the two: the driver's own words are of channels and replies.
      throw AppError.is(error) ? error : unavailable()
    }
  }

  return {
    channel: (waitMs) => open(waitMs, async () => (await opened).createChannel()),
    confirmChannel: (waitMs) => open(waitMs, async () => (await opened).createConfirmChannel()),
    health: () => {
      if (blocked !== null) return { state: "degraded", detail: `${place} takes no messages for now: ${blocked}` }
      if (connected) return { state: "ok" }
      if (trouble === null) return { state: "degraded", detail: `connecting to ${places}` }
      return { state: "down", detail: `no connection to ${places}: ${trouble}` }
    },
    blocked: () => blocked,
    close: async () => {
      const closing = opened.then((model) => model.close())
      await withTimeout(closing, CLOSE_MS, unavailable).catch(() => undefined)
    },
  }
}
