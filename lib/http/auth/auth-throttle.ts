import type { IncomingMessage } from "node:http"
import ipaddr from "ipaddr.js"

const WINDOW_MS = 60_000
const MAX_FAILURES = 10
const TRUST_MS = 24 * 3600 * 1000
/** More callers than this are not told apart any longer: the oldest are forgotten. */
const MAX_CALLERS = 10_000

/** Whom a request is counted for: its address, or for IPv6 the network that one household or machine is given whole. */
export const clientKey = ({ socket: { remoteAddress = "" } }: Pick<IncomingMessage, "socket">): string => {
  if (!ipaddr.IPv6.isValid(remoteAddress)) return remoteAddress
  const address = ipaddr.IPv6.parse(remoteAddress)
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.parts.slice(0, 4).join(":")
}

/**
 * Counts wrong tries by caller: ten in a minute, then none until the minute is over. A try is refused before it is
 * looked at, so that guessing goes no faster for one who ignores the refusals.
 */
export const createAuthThrottle = (now: () => number = () => performance.now()) => {
  const callers = new Map<string, { count: number; since: number }>()
  const trusted = new Map<string, number>()
  const current = (caller: string) => {
    const known = callers.get(caller)
    return known && now() - known.since < WINDOW_MS ? known : undefined
  }
  return {
    /** Milliseconds until the next try is looked at; 0: now. */
    waitMs: (caller: string): number => {
      const known = current(caller)
      return known && known.count >= MAX_FAILURES ? known.since + WINDOW_MS - now() : 0
    },
    failed: (caller: string): void => {
      const known = current(caller)
      callers.delete(caller)
      callers.set(caller, known ? { ...known, count: known.count + 1 } : { count: 1, since: now() })
      if (callers.size > MAX_CALLERS) callers.delete(callers.keys().next().value!)
    },
    /** Remembers that the right token came from here. */
    trust: (caller: string): void => {
      trusted.delete(caller)
      trusted.set(caller, now())
      if (trusted.size > MAX_CALLERS) trusted.delete(trusted.keys().next().value!)
    },
    /** Whether it did within the last day. */
    isTrusted: (caller: string): boolean => now() - (trusted.get(caller) ?? Number.NEGATIVE_INFINITY) < TRUST_MS,
    succeeded: (caller: string): void => void callers.delete(caller),
  }
}
export type Attempts = ReturnType<typeof createAuthThrottle>
