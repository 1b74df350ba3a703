import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../package-root.ts"
import type { CapabilityGroup } from "./packages.ts"
import { installCommand } from "./registry.ts"
import type { GroupState } from "./types.ts"

export type PackageState = "present" | "missing" | { readonly broken: string }

/** Returns the command that installs a group in the versions of this package.json. */
export const installCommandFor = (group: CapabilityGroup): string => {
  const file = join(packageRoot(), "package.json")
  const own = JSON.parse(readFileSync(file, "utf8")) as { optionalDependencies?: Record<string, string> }
  return installCommand(group, own.optionalDependencies ?? {})
}

/** Returns the state of a group from the states of its packages. Broken takes precedence over missing. */
export const toGroupState = (
  group: CapabilityGroup,
  states: readonly { readonly name: string; readonly state: PackageState }[],
): GroupState => {
  const install = installCommandFor(group)
  for (const { name, state } of states)
    if (typeof state === "object")
      return { state: "broken", detail: `${name} is installed but does not load (${state.broken}).`, install }
  const missing = states.filter((s) => s.state === "missing").map((s) => s.name)
  if (missing.length === 0) return { state: "present" }
  const list = missing.length > 2 ? `${missing.slice(0, -1).join(", ")} and ${missing.at(-1)}` : missing.join(" and ")
  return { state: "missing", detail: `${list} ${missing.length > 1 ? "are" : "is"} not installed.`, install }
}
