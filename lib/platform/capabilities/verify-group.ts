import { spawn } from "node:child_process"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { packageRoot } from "../package-root.ts"
import { GROUPS, type LazyGroup } from "./packages.ts"
import { type PackageState, stateOfPackages } from "./states.ts"
import type { GroupState } from "./types.ts"

/** Slow disks and loaded machines take their time over a large native library. */
const PROVE_MS = 30_000

/** Tells before each package which it is, so that one whose native part ends the process is known by name. */
const SCRIPT = `
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n")
for (const name of process.argv.slice(1)) {
  say({ name })
  try { await import(name); say({ name, state: "present" }) }
  catch (error) { say({ name, state: { broken: String(error?.message ?? error).split("\\n")[0] } }) }
}
process.exit(0)`

type Line = { readonly name: string; readonly state?: PackageState }

/** Loads packages in a process of its own. A crash, or no end within the limit, is the fault of the one being loaded. */
const loadApart = (names: readonly string[], from: string): Promise<{ name: string; state: PackageState }[]> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", SCRIPT, "--", ...names], {
      // Bare names are looked up from the working folder.
      cwd: from,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: PROVE_MS,
      killSignal: "SIGKILL",
    })
    let said = ""
    child.stdout.on("data", (d: Buffer) => {
      said += d
    })
    const conclude = (end: string): void => {
      const lines = said
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line)
      const stateOf = (name: string): PackageState => {
        const own = lines.filter((line) => line.name === name)
        return own.find((line) => line.state)?.state ?? (own.length > 0 ? { broken: end } : "present")
      }
      resolve(names.map((name) => ({ name, state: stateOf(name) })))
    }
    child.once("error", (error) => conclude(error.message))
    child.once("close", (code, signal) =>
      conclude(
        child.killed
          ? `it did not load within ${PROVE_MS / 1000} s`
          : `loading it ends with ${signal ?? `code ${code}`}`,
      ),
    )
  })

const proofs = new Map<LazyGroup, Promise<GroupState>>()

/**
 * Whether a group that was found installed really loads here, tried once a process and remembered: "broken" with the
 * package's own words when it does not. Nothing is loaded into this process. Never throws.
 * @param looked what `probeGroups` said; anything but present is given back as it is
 */
export const verifyGroup = (group: LazyGroup, looked: GroupState): Promise<GroupState> => {
  if (looked.state !== "present") return Promise.resolve(looked)
  const proof = proofs.get(group) ?? verifyGroupUncached(group)
  proofs.set(group, proof)
  return proof
}

/** The same anew, for packages as the module at `from` (a file URL) finds them. */
export const verifyGroupUncached = async (group: LazyGroup, from?: string): Promise<GroupState> => {
  const states = await loadApart(GROUPS[group], from === undefined ? packageRoot() : dirname(fileURLToPath(from)))
  return stateOfPackages(group, states)
}
