import ipaddr from "ipaddr.js"

type Ip = ReturnType<typeof ipaddr.parse>
type Range = ReturnType<typeof ipaddr.parseCIDR>

/** The IPv6 range of global unicast addresses (RFC 4291, IANA). */
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3")

/** Returns the IP address of a URL's host without IPv6 brackets, or null for a name. */
export const parseIpLiteral = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, "")
  return ipaddr.isValid(bare) ? bare : null
}

const isGlobal = (ip: Ip): boolean =>
  ip.range() === "unicast" && (ip.kind() === "ipv4" || ip.match(GLOBAL_V6 as [ipaddr.IPv6, number]))

const isInRange = (ip: Ip, range: Range): boolean => ip.kind() === range[0].kind() && ip.match(range as never)

/** Parses an address or a range (`192.168.1.0/24`). @throws Error for anything else */
export const parseRange = (text: string): Range =>
  text.includes("/") ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), text.includes(":") ? 128 : 32]

/**
 * Returns true if an address is public or in one of the allowed ranges. Loopback, private and link-local networks, CGNAT,
 * multicast, test networks, and IPv6 addresses that embed an IPv4 address are not public.
 */
export const isAddressAllowed = (address: string, allowed: readonly string[] = []): boolean => {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.parse(address)
  return isGlobal(ip) || allowed.some((range) => isInRange(ip, parseRange(range)))
}
