import type { IncomingMessage } from "node:http"
import ipaddr from "ipaddr.js"

const WINDOW_MS = 60_000
const MAX_FAILURES = 10
const TRUST_MS = 24 * 3600 * 1000
/** Beyond this number of clients, the oldest are forgotten. */
const MAX_CLIENTS = 10_000

/** Returns the key that requests are counted by: an IPv4 address, or the /64 network of an IPv6 address. */
export const clientKey = ({ socket: { remoteAddress = "" } }: Pick<IncomingMessage, "socket">): string => {
  if (!ipaddr.IPv6.isValid(remoteAddress)) return remoteAddress
  const address = ipaddr.IPv6.parse(remoteAddress)
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.parts.slice(0, 4).join(":")
}

/**
 * Counts wrong tokens by client. After ten within a minute, further attempts must wait until the minute has passed. They
 * have to be rejected before the token is compared, so that ignoring the rejections does not speed up guessing.
 */
export const createAuthThrottle = (now: () => number = () => performance.now()) => {
  const failures = new Map<string, { count: number; since: number }>()
  const trustedAt = new Map<string, number>()
  const currentFailures = (client: string) => {
    const known = failures.get(client)
    return known && now() - known.since < WINDOW_MS ? known : undefined
  }
  return {
    /** Returns the milliseconds until the next attempt is allowed, or 0 if it is allowed now. */
    waitMs: (client: string): number => {
      const known = currentFailures(client)
      return known && known.count >= MAX_FAILURES ? known.since + WINDOW_MS - now() : 0
    },
    failed: (client: string): void => {
      const known = currentFailures(client)
      failures.delete(client)
      failures.set(client, known ? { ...known, count: known.count + 1 } : { count: 1, since: now() })
      if (failures.size > MAX_CLIENTS) failures.delete(failures.keys().next().value!)
    },
    succeeded: (client: string): void => void failures.delete(client),
    /** Records that the client sent the right token. */
    trust: (client: string): void => {
      trustedAt.delete(client)
      trustedAt.set(client, now())
      if (trustedAt.size > MAX_CLIENTS) trustedAt.delete(trustedAt.keys().next().value!)
    },
    /** Returns true if the client sent the right token within the last day. */
    isTrusted: (client: string): boolean => now() - (trustedAt.get(client) ?? Number.NEGATIVE_INFINITY) < TRUST_MS,
  }
}
export type AuthThrottle = ReturnType<typeof createAuthThrottle>
