import type { CapabilityGroup } from "./packages.ts"

/** The state of an optional group of packages. `detail` and `install` explain what to do. */
export type GroupState =
  | { readonly state: "present" }
  | { readonly state: "missing" | "broken" | "disabled"; readonly detail: string; readonly install: string }

/** The state of every capability group. */
export type Groups = Readonly<Record<CapabilityGroup, GroupState>>
