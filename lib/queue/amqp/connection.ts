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

const CONNECT_TIMEOUT_MS = 10_000
const HEARTBEAT_S = 15
/** The first and the longest delay between two attempts to connect. */
const RECONNECT_DELAYS = { initialDelay: 200, maxDelay: 5_000 }
const CLOSE_TIMEOUT_MS = 1_000

/** A connection that reconnects automatically. */
export type AmqpConnection = {
  /**
   * Opens a channel. The caller must add an `error` listener before using it.
   * @throws AppError `unavailable` (retry) if there is no connection within `waitMs`
   */
  channel(waitMs: number): Promise<Channel>
  confirmChannel(waitMs: number): Promise<ConfirmChannel>
  health(): BrokerHealth
  /** Returns why the connected broker accepts no messages, for example a full disk. Null if it accepts them. */
  blocked(): string | null
  /** Closes the connection and its channels. Never throws. */
  close(): Promise<void>
}

type Address = { readonly place: string; readonly connect: Options.Connect }

/** The heartbeat detects an unresponsive peer. Parameters of the URL take precedence. */
const parseAddress = (url: string): Address => {
  const { protocol, host, hostname, port, pathname, username, password, searchParams } = new URL(url)
  const given = (name: string): Record<string, number> => {
    const value = searchParams.get(name)
    return value === null ? {} : { [name]: Number.parseInt(value, 10) }
  }
  return {
    // For messages, without the credentials.
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

/** Rejects with `why()` after `ms`. A result that arrives later is passed to `late`. */
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
 * Connects in the background and reconnects when the connection is lost, so that processes start even if the broker is down. If
 * several addresses are given, they are nodes of one cluster, and each attempt uses the next one.
 * @param name the purpose of the connection, as shown by the broker's tools
 */
export const openReconnectingConnection = (urls: readonly string[], name: string, log: Logger): AmqpConnection => {
  const addresses = urls.map(parseAddress)
  const places = addresses.map((a) => a.place).join(", ")
  let at = 0
  let { place } = addresses[at]!
  // amqplib reads this object at each attempt.
  const target: Options.Connect = { ...addresses[at]!.connect }
  let connected = false
  let trouble: string | null = null
  let blocked: string | null = null
  const waiting = new Set<() => void>()

  const lost = (error: Error): void => {
    if (connected || trouble === null)
      log.warn({ broker: place, detail: messageOf(error) }, "lost the connection to the broker")
    connected = false
    blocked = null
    trouble = messageOf(error) || "the connection was closed"
    const next = addresses[++at % addresses.length]!
    place = next.place
    Object.assign(target, next.connect)
  }
  const listen = (model: RecoveringChannelModel): RecoveringChannelModel =>
    model
      .on("error", () => undefined) // `disconnect` follows with the same error.
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
        log.warn({ broker: place, reason }, "the broker accepts no messages at the moment")
      })
      .on("unblocked", () => {
        blocked = null
      })
  // Resolves before the first attempt, because waitForConnect is false, so that no event is missed.
  const opened = connect(target, {
    // Nagle's algorithm would delay each small frame by 40 ms.
    noDelay: true,
    keepAlive: true,
    timeout: CONNECT_TIMEOUT_MS,
    clientProperties: { connection_name: `earmark ${name}` },
    recovery: {
      ...RECONNECT_DELAYS,
      waitForConnect: false,
      // An error between the handshake and `connect` would have no listener and end the process.
      setup: async (fresh: ChannelModel) => void fresh.on("error", () => undefined),
    },
  }).then(listen)

  const unavailable = (): AppError =>
    new AppError("unavailable", `Couldn't connect to the broker at ${places}: ${trouble ?? "no response yet"}.`, {
      retry: "retry",
    })
  // amqplib would queue callers without a limit and then open a channel for each.
  const waitForConnection = (waitMs: number): Promise<void> => {
    if (connected) return Promise.resolve()
    let go = () => {}
    const waits = new Promise<void>((resolve) => {
      go = resolve
      waiting.add(go)
    })
    return withTimeout(waits, waitMs, unavailable).finally(() => waiting.delete(go))
  }
  const open = async <C extends Channel>(waitMs: number, make: () => Promise<C>): Promise<C> => {
    await waitForConnection(waitMs)
    try {
      return await withTimeout(make(), waitMs, unavailable, (late) => void late.close().catch(() => undefined))
    } catch (error) {
      // The connection was lost in between. The driver's own message would not say so.
      throw AppError.is(error) ? error : unavailable()
    }
  }

  return {
    channel: (waitMs) => open(waitMs, async () => (await opened).createChannel()),
    confirmChannel: (waitMs) => open(waitMs, async () => (await opened).createConfirmChannel()),
    health: () => {
      if (blocked !== null)
        return { state: "degraded", detail: `${place} accepts no messages at the moment: ${blocked}` }
      if (connected) return { state: "ok" }
      if (trouble === null) return { state: "degraded", detail: `connecting to ${places}` }
      return { state: "down", detail: `no connection to ${places}: ${trouble}` }
    },
    blocked: () => blocked,
    close: async () => {
      const closing = opened.then((model) => model.close())
      await withTimeout(closing, CLOSE_TIMEOUT_MS, unavailable).catch(() => undefined)
    },
  }
}
