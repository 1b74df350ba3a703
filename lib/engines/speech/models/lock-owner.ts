import { createHash } from "node:crypto"
import { readFile, readlink } from "node:fs/promises"
import { hostname } from "node:os"
import { isProcessRunning } from "../../../platform/processes/process-alive.ts"

/** Who holds a lock: a process by its number and the moment it started, and where that number means something. */
export type LockOwner = { readonly pid: number; readonly started: string; readonly place: string }

const maybe = (found: Promise<string>): Promise<string> => found.catch(() => "")

/** This boot of this machine and, in it, the room whose processes are numbered together: containers have their own. */
const placeHere = async (): Promise<string> => {
  const parts = [hostname(), await maybe(readFile("/proc/sys/kernel/random/boot_id", "utf8"))]
  parts.push(await maybe(readlink("/proc/self/ns/pid")))
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16)
}

/** When a process was started, in ticks since the boot (proc(5), field 22 of stat); "" where the system does not say. */
const startOf = async (pid: number): Promise<string> => {
  const stat = await maybe(readFile(`/proc/${pid}/stat`, "utf8"))
  // The name before it may hold spaces and brackets.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
}

export const thisProcess = async (): Promise<LockOwner> => ({
  pid: process.pid,
  started: await startOf(process.pid),
  place: await placeHere(),
})

export const ownerLine = ({ pid, started, place }: LockOwner): string => `${pid} ${started || "-"} ${place}`

const OWNER = /^(\d+) (\d+|-) ([0-9a-f]{16})\b/

/** Whether who wrote this into a lock lives; null: that cannot be known from here. */
export const ownerLives = async (text: string): Promise<boolean | null> => {
  const [, pid, started, place] = OWNER.exec(text) ?? []
  if (place === undefined || place !== (await placeHere())) return null
  if (!isProcessRunning(Number(pid))) return false
  return started === "-" ? null : (await startOf(Number(pid))) === started
}
