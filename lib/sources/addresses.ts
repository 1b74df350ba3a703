import ipaddr from "ipaddr.js"

type Ip = ReturnType<typeof ipaddr.parse>
type Range = ReturnType<typeof ipaddr.parseCIDR>

/** The part of IPv6 from which addresses for the public network are given out (RFC 4291, IANA). */
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3")

/** A literal address of a URL's host, without the brackets of IPv6; null for a name. */
export const literalOf = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, "")
  return ipaddr.isValid(bare) ? bare : null
}

const isGlobal = (ip: Ip): boolean =>
  ip.range() === "unicast" && (ip.kind() === "ipv4" || ip.match(GLOBAL_V6 as [ipaddr.IPv6, number]))

const lies = (ip: Ip, range: Range): boolean => ip.kind() === range[0].kind() && ip.match(range as never)

/** An address or a range of them (`192.168.1.0/24`). @throws Error for anything else */
export const parseRange = (text: string): Range =>
  text.includes("/") ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), text.includes(":") ? 128 : 32]

/**
 * Whether an address belongs to the public network, or to one of the ranges that are allowed besides. Loopback,
 * private and link-local networks, CGNAT, multicast, test nets, and IPv6 forms that carry an IPv4 address do not.
 */
export const isAddressAllowed = (address: string, allowed: readonly string[] = []): boolean => {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.parse(address)
  return isGlobal(ip) || allowed.some((range) => lies(ip, parseRange(range)))
}
