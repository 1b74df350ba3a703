import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { messageOf } from "../errors.ts"
import { packageRoot } from "../package-root.ts"
import type { Deps, GroupState } from "../services/deps.ts"
import { type CapabilityGroup, GROUPS } from "./packages.ts"
import { installCommand } from "./registry.ts"

/** Packages whose native part is only loaded on use: the cheapest use that shows whether it fits this machine. */
const PROBES: Readonly<Record<string, (module: unknown) => void>> = {
  "better-sqlite3": (module) => {
    const { default: Database } = module as { default: new (file: string) => { close(): void } }
    new Database(":memory:").close()
  },
}

export type PackageState = "present" | "missing" | { readonly broken: string }

/**
 * Whether a package can be used from the module at `from` (a file URL). Missing means that no folder of its name lies
 * on the way up; one that is there and does not load is broken, and its own message is kept.
 */
export const probePackage = async (name: string, from: string = import.meta.url): Promise<PackageState> => {
  const require = createRequire(from)
  const folders = require.resolve.paths(name) ?? []
  if (!folders.some((folder) => existsSync(join(folder, name)))) return "missing"
  try {
    // A bundler must leave this import alone: a package that it inlined would look present where it is not.
    const module: unknown = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ pathToFileURL(require.resolve(name)).href
    )
    PROBES[name]?.(module)
    return "present"
  } catch (error) {
    return { broken: messageOf(error).split("\n")[0]! }
  }
}

const probeGroup = async (group: CapabilityGroup, install: string, from: string): Promise<GroupState> => {
  const names: readonly string[] = GROUPS[group]
  const states = await Promise.all(names.map(async (name) => ({ name, state: await probePackage(name, from) })))
  for (const { name, state } of states)
    if (typeof state === "object")
      return { state: "broken", detail: `${name} is installed but does not load (${state.broken}).`, install }
  const missing = states.filter((s) => s.state === "missing").map((s) => s.name)
  if (missing.length === 0) return { state: "present" }
  return {
    state: "missing",
    detail: `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not installed.`,
    install,
  }
}

const ownRanges = (): Record<string, string> => {
  const file = join(packageRoot(), "package.json")
  return (
    (JSON.parse(readFileSync(file, "utf8")) as { optionalDependencies?: Record<string, string> })
      .optionalDependencies ?? {}
  )
}

/** Looks at every group once. `disabled` are the groups that SERVICE_DISABLE_EXTRAS switches off. */
export const probeGroups = async (
  disabled: readonly CapabilityGroup[],
  from: string = import.meta.url,
): Promise<Deps["groups"]> => {
  const ranges = ownRanges()
  const stateOf = async (group: CapabilityGroup): Promise<GroupState> => {
    const install = installCommand(group, ranges)
    if (!disabled.includes(group)) return probeGroup(group, install, from)
    return {
      state: "disabled",
      detail: "it is switched off by SERVICE_DISABLE_EXTRAS: take it out of that setting and start again.",
      install,
    }
  }
  const [rag, broker, audio, telemetry] = await Promise.all([
    stateOf("rag"),
    stateOf("broker"),
    stateOf("audio"),
    stateOf("telemetry"),
  ])
  return { rag, broker, audio, telemetry }
}
