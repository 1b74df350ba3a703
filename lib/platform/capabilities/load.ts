import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { messageOf } from "../../domain/errors.ts"
import { type CapabilityGroup, GROUP_NAMES, GROUPS, LAZY_GROUPS } from "./packages.ts"
import { installCommandFor, type PackageState, toGroupState } from "./states.ts"
import type { GroupState, Groups } from "./types.ts"

/** For packages that load their native module lazily: the cheapest call that shows whether it works on this machine. */
const PROBES: Readonly<Record<string, (module: unknown) => void>> = {
  "better-sqlite3": (module) => {
    const { default: Database } = module as { default: new (file: string) => { close(): void } }
    new Database(":memory:").close()
  },
}

/** Looks for a package from the module `from` (a file URL) without loading it. */
const findPackage = (name: string, from: string): PackageState => {
  const folders = createRequire(from).resolve.paths(name) ?? []
  return folders.some((folder) => existsSync(join(folder, name))) ? "present" : "missing"
}

/**
 * Loads a package from the module `from` (a file URL) and returns its state. A package is missing if it has no folder, and
 * broken, with its own error message, if it does not load.
 */
export const probePackage = async (name: string, from: string = import.meta.url): Promise<PackageState> => {
  if (findPackage(name, from) === "missing") return "missing"
  try {
    // By its name, because `require` would resolve to another copy of a package that has one for each module system.
    const specifier = from === import.meta.url ? name : pathToFileURL(createRequire(from).resolve(name)).href
    // Bundlers must not follow this import: a bundled package would always look present.
    const module: unknown = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ specifier)
    PROBES[name]?.(module)
    return "present"
  } catch (error) {
    return { broken: messageOf(error).split("\n")[0]! }
  }
}

/** Packages of the other groups that are looked up too: plain JavaScript, which most processes do not use. */
const LAZY_PACKAGES: readonly string[] = ["amqplib", "umap-js"]

const probeGroup = async (group: CapabilityGroup, from: string): Promise<GroupState> => {
  const isLazy = (name: string): boolean => LAZY_PACKAGES.includes(name) || LAZY_GROUPS.some((lazy) => lazy === group)
  const probe = async (name: string) => ({
    name,
    state: isLazy(name) ? findPackage(name, from) : await probePackage(name, from),
  })
  return toGroupState(group, await Promise.all(GROUPS[group].map(probe)))
}

/**
 * Returns the state of one group. A lazy group is only looked up; `verifyGroup` loads it later.
 * @param disabled the groups that SERVICE_DISABLE_EXTRAS disables
 */
export const findGroupState = async (
  group: CapabilityGroup,
  disabled: readonly CapabilityGroup[],
  from: string = import.meta.url,
): Promise<GroupState> => {
  if (!disabled.includes(group)) return probeGroup(group, from)
  return {
    state: "disabled",
    detail: "it is disabled by SERVICE_DISABLE_EXTRAS. Remove it from that setting and restart.",
    install: installCommandFor(group),
  }
}

/**
 * Returns the state of every group. Lazy groups are only looked up; `verifyGroup` loads them later.
 * @param disabled the groups that SERVICE_DISABLE_EXTRAS disables
 */
export const probeGroups = async (
  disabled: readonly CapabilityGroup[],
  from: string = import.meta.url,
): Promise<Groups> => {
  const states = await Promise.all(
    GROUP_NAMES.map(async (group) => [group, await findGroupState(group, disabled, from)] as const),
  )
  return Object.fromEntries(states) as Groups
}
