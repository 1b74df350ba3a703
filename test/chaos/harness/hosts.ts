import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { messageOf } from "#lib/domain/errors.ts"
import type { Place } from "../../fixtures/temp-dir.ts"

const ip = (...args: string[]): string =>
  execFileSync("ip", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** Of what another run left that was killed; names carry the process that made them. */
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
        // It has just ended by itself.
      }
    ip("netns", "del", name)
  }
  const links = ip("-o", "link")
    .split("\n")
    .flatMap((line) => /^\d+: ([^:@]+)/.exec(line)?.[1] ?? [])
  // A link goes with its other end, so it may be gone by its turn.
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
  /** Where a program on this host runs. */
  at(name: Name): Place
  /** Packets to and from this host vanish, without a word to either end. */
  cut(name: Name): void
  heal(name: Name): void
  /** Kills what runs on the hosts, and takes everything away. */
  remove(): void
}

/**
 * Hosts on one machine: network namespaces, each on a link of its own to a bridge, at which this process is, too. They are
 * removed when this process ends, however it ends; what a killed one left goes with the next.
 * @throws Error in one sentence without root or iproute2
 */
export const makeHosts = <Name extends string>(names: readonly Name[]): Hosts<Name> => {
  if (process.getuid?.() !== 0) throw new Error("Hosts are network namespaces, which root alone makes: run it as root.")
  try {
    removeLeftOvers()
  } catch (error) {
    throw new Error(`Hosts need iproute2 (apt-get install iproute2): ${messageOf(error)}`)
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
  // As behind a router: a host that does not answer is not known to be away.
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
