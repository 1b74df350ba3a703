import type { CapabilityGroup } from "./packages.ts"

/** Whether an optional group of packages can be used, and if not, what to say. */
export type GroupState =
  | { readonly state: "present" }
  | { readonly state: "missing" | "broken" | "disabled"; readonly detail: string; readonly install: string }

/** The state of every capability group. */
export type Groups = Readonly<Record<CapabilityGroup, GroupState>>
