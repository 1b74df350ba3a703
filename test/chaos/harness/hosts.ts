import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { messageOf } from "#lib/domain/errors.ts"
import type { Host } from "../../fixtures/host.ts"

const ip = (...args: string[]): string =>
  execFileSync("ip", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** Prefix of the names of namespaces and links, before the ID of the process that created them. */
const PREFIX = "em"

const removeAll = (pid: number): void => {
  const own = `${PREFIX}${pid}-`
  const names = ip("netns", "list")
    .split("\n")
    .map((line) => line.split(" ")[0]!)
    .filter((name) => name.startsWith(own))
  for (const name of names) {
    for (const id of ip("netns", "pids", name).split("\n").filter(Boolean))
      try {
        process.kill(Number(id), "SIGKILL")
      } catch {
        // The process has already exited.
      }
    ip("netns", "del", name)
  }
  const links = ip("-o", "link")
    .split("\n")
    .flatMap((line) => /^\d+: ([^:@]+)/.exec(line)?.[1] ?? [])
  // Deleting one end of a link deletes the other, so it may already be gone.
  for (const link of links.filter((l) => l.startsWith(own)))
    try {
      ip("link", "del", link)
    } catch {}
}

const removeLeftOvers = (): void => {
  const pids = [...ip("netns", "list").matchAll(new RegExp(`^${PREFIX}(\\d+)-`, "gm"))].map((m) => Number(m[1]))
  for (const pid of new Set(pids)) if (!existsSync(`/proc/${pid}`)) removeAll(pid)
}

export type Hosts<Name extends string> = {
  /** Returns the address of a host and the command prefix that runs a program on it. */
  at(name: Name): Host
  /** Drops all packets to and from a host silently. */
  cut(name: Name): void
  heal(name: Name): void
  /** Kills the processes on the hosts and removes the namespaces and links. */
  remove(): void
}

/**
 * Creates hosts on one machine: network namespaces that are linked to a bridge, as is this process. They are
 * removed when this process exits. The next call removes those of a killed process.
 * @throws Error without root or iproute2
 */
export const makeHosts = <Name extends string>(names: readonly Name[]): Hosts<Name> => {
  if (process.getuid?.() !== 0) throw new Error("Couldn't create network namespaces: this scenario must run as root.")
  try {
    removeLeftOvers()
  } catch (error) {
    throw new Error(
      `Couldn't list network namespaces. Install iproute2 (apt-get install iproute2): ${messageOf(error)}`,
    )
  }
  const { pid } = process
  const own = (name: string) => `${PREFIX}${pid}-${name}`
  const bridge = own("br")
  const taken = ip("-o", "-4", "addr")
  const net = Array.from({ length: 250 }, (_, i) => `10.213.${i + 1}`).find((n) => !taken.includes(` ${n}.`))
  const address = (name: Name) => `${net}.${10 + names.indexOf(name)}`
  const remove = () => removeAll(pid)
  process.once("exit", remove)
  ip("link", "add", bridge, "type", "bridge")
  ip("addr", "add", `${net}.1/24`, "dev", bridge)
  ip("link", "set", bridge, "up")
  names.forEach((name, i) => {
    ip("netns", "add", own(name))
    ip("link", "add", own(`v${i}`), "type", "veth", "peer", "name", "eth0", "netns", own(name))
    ip("link", "set", own(`v${i}`), "master", bridge, "up")
    const inside = (...args: string[]) => ip("-n", own(name), ...args)
    inside("link", "set", "lo", "up")
    inside("addr", "add", `${address(name)}/24`, "dev", "eth0")
    inside("link", "set", "eth0", "up")
  })
  // With static neighbours, as behind a router, a host that is cut off does not fail address resolution.
  const macOf = (text: string) => /link\/ether (\S+)/.exec(text)![1]!
  const known = (to: string, mac: string) => ["neigh", "replace", to, "lladdr", mac, "dev", "eth0", "nud", "permanent"]
  for (const name of names) {
    ip("-n", own(name), ...known(`${net}.1`, macOf(ip("link", "show", bridge))))
    for (const other of names.filter((n) => n !== name))
      ip("-n", own(name), ...known(address(other), macOf(ip("-n", own(other), "link", "show", "eth0"))))
  }
  const link = (name: Name) => own(`v${names.indexOf(name)}`)
  return {
    at: (name) => ({ address: address(name), within: ["ip", "netns", "exec", own(name)] }),
    cut: (name) => void ip("link", "set", link(name), "nomaster"),
    heal: (name) => void ip("link", "set", link(name), "master", bridge),
    remove: () => {
      process.off("exit", remove)
      remove()
    },
  }
}
