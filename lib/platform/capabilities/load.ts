import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { messageOf } from "../../domain/errors.ts"
import { type CapabilityGroup, GROUPS, LAZY_GROUPS } from "./packages.ts"
import { installOf, type PackageState, stateOfPackages } from "./states.ts"
import type { GroupState, Groups } from "./types.ts"

/** Packages whose native part is only loaded on use: the cheapest use that shows whether it fits this machine. */
const PROBES: Readonly<Record<string, (module: unknown) => void>> = {
  "better-sqlite3": (module) => {
    const { default: Database } = module as { default: new (file: string) => { close(): void } }
    new Database(":memory:").close()
  },
}

/** Whether a folder of that name lies on the way up from the module at `from` (a file URL). Loads nothing. */
const lookForPackage = (name: string, from: string): PackageState => {
  const folders = createRequire(from).resolve.paths(name) ?? []
  return folders.some((folder) => existsSync(join(folder, name))) ? "present" : "missing"
}

/**
 * Whether a package can be used from the module at `from` (a file URL). Missing means that no folder of its name lies
 * on the way up; one that is there and does not load is broken, and its own message is kept.
 */
export const probePackage = async (name: string, from: string = import.meta.url): Promise<PackageState> => {
  if (lookForPackage(name, from) === "missing") return "missing"
  try {
    // A bundler must leave this import alone: a package that it inlined would look present where it is not.
    const module: unknown = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ pathToFileURL(createRequire(from).resolve(name)).href
    )
    PROBES[name]?.(module)
    return "present"
  } catch (error) {
    return { broken: messageOf(error).split("\n")[0]! }
  }
}

const isUnloaded = (group: CapabilityGroup): boolean => LAZY_GROUPS.some((name) => name === group)

const probeGroup = async (group: CapabilityGroup, from: string): Promise<GroupState> => {
  const look = isUnloaded(group) ? lookForPackage : probePackage
  const names: readonly string[] = GROUPS[group]
  return stateOfPackages(group, await Promise.all(names.map(async (name) => ({ name, state: await look(name, from) }))))
}

/**
 * Looks at every group once. Those of every process are loaded; the others are only looked for, and `proveGroup` tells
 * later whether they load. `disabled` are the groups that SERVICE_DISABLE_EXTRAS switches off.
 */
export const probeGroups = async (
  disabled: readonly CapabilityGroup[],
  from: string = import.meta.url,
): Promise<Groups> => {
  const stateOf = async (group: CapabilityGroup): Promise<GroupState> => {
    if (!disabled.includes(group)) return probeGroup(group, from)
    return {
      state: "disabled",
      detail: "it is switched off by SERVICE_DISABLE_EXTRAS: take it out of that setting and start again.",
      install: installOf(group),
    }
  }
  const [rag, broker, audio, telemetry, postgres, s3] = await Promise.all([
    stateOf("rag"),
    stateOf("broker"),
    stateOf("audio"),
    stateOf("telemetry"),
    stateOf("postgres"),
    stateOf("s3"),
  ])
  return { rag, broker, audio, telemetry, postgres, s3 }
}
