import { hostname, networkInterfaces } from "node:os"

/** Names of the machine that runs this process. Docker's name leads from a container to its host. */
const OWN_NAMES = new Set(["localhost", "0.0.0.0", "[::]", "host.docker.internal", "host.containers.internal"])

/** Returns true if the host of a URL is the machine that runs this process. Does not resolve names. */
export const isThisMachine = (url: string): boolean => {
  const host = new URL(url).hostname.toLowerCase()
  if (OWN_NAMES.has(host) || host.endsWith(".localhost") || /^127(\.\d+){3}$/.test(host) || host === "[::1]")
    return true
  if (host === hostname().toLowerCase()) return true
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.some(({ address }) => address === host.replace(/^\[|\]$/g, ""))
}
