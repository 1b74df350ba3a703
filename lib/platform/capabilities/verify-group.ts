import { spawn } from "node:child_process"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { packageRoot } from "../package-root.ts"
import { GROUPS, type LazyGroup } from "./packages.ts"
import { type PackageState, toGroupState } from "./states.ts"
import type { GroupState } from "./types.ts"

/** Loading a large native library takes long on slow disks. */
const LOAD_TIMEOUT_MS = 30_000

/** Prints the name of each package before loading it, to identify one that crashes the process. */
const SCRIPT = `
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n")
for (const name of process.argv.slice(1)) {
  say({ name })
  try { await import(name); say({ name, state: "present" }) }
  catch (error) { say({ name, state: { broken: String(error?.message ?? error).split("\\n")[0] } }) }
}
process.exit(0)`

type Line = { readonly name: string; readonly state?: PackageState }

/** Loads packages in a separate process. A crash or a timeout is attributed to the package being loaded. */
const loadInProcess = (names: readonly string[], from: string): Promise<{ name: string; state: PackageState }[]> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", SCRIPT, "--", ...names], {
      // Bare names are looked up from the working folder.
      cwd: from,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: LOAD_TIMEOUT_MS,
      killSignal: "SIGKILL",
    })
    let output = ""
    child.stdout.on("data", (d: Buffer) => {
      output += d
    })
    const conclude = (end: string): void => {
      const lines = output
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
          ? `it did not load within ${LOAD_TIMEOUT_MS / 1000} s`
          : `loading it ends with ${signal ?? `code ${code}`}`,
      ),
    )
  })

const verifications = new Map<LazyGroup, Promise<GroupState>>()

/**
 * Checks whether an installed group loads on this machine, once per process. Uses a separate process. Returns "broken" with the
 * package's own error message if it does not load. Never throws.
 * @param found the state from `probeGroups`. Only "present" is verified.
 */
export const verifyGroup = (group: LazyGroup, found: GroupState): Promise<GroupState> => {
  if (found.state !== "present") return Promise.resolve(found)
  const verification = verifications.get(group) ?? verifyGroupUncached(group)
  verifications.set(group, verification)
  return verification
}

/** Verifies a group like `verifyGroup`, but without the cache and for packages resolved from the module `from` (a file URL). */
export const verifyGroupUncached = async (group: LazyGroup, from?: string): Promise<GroupState> => {
  const states = await loadInProcess(GROUPS[group], from === undefined ? packageRoot() : dirname(fileURLToPath(from)))
  return toGroupState(group, states)
}
