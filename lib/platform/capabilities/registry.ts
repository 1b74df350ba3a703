import { AppError } from "../../domain/errors.ts"
import { type CapabilityGroup, GROUPS } from "./packages.ts"
import type { GroupState, Groups } from "./types.ts"

/** What a group is for, as the subject of a sentence. */
const PURPOSE: Record<CapabilityGroup, string> = {
  rag: "the store of clips, jobs and vectors",
  broker: "the queue of jobs",
  audio: "speech recognition inside the service",
  telemetry: "traces and metrics",
  postgres: "the store on PostgreSQL",
  s3: "recordings in object storage",
}

/** The command that brings a group's packages, in the versions that this release was made for. */
export const installCommand = (group: CapabilityGroup, ranges: Readonly<Record<string, string>>): string => {
  const packages = GROUPS[group].map((name) => (ranges[name] ? `${name}@${ranges[name]}` : name))
  return `npm install ${packages.length > 0 ? packages.join(" ") : "--include=optional"}`
}

/** Why a group cannot be used, as the rest of a sentence, and the command that mends it. */
const WHY: Record<GroupState["state"], (detail: string, install: string) => string> = {
  present: () => "which is not open in this process.",
  missing: (detail, install) => `but ${detail} Install it with: ${install}`,
  broken: (detail, install) => `but ${detail} Install it anew with: ${install}`,
  disabled: (detail, install) => `but ${detail} Should its packages be missing too: ${install}`,
}

/** The refusal of a request that needs a group which is not there: what is missing and the command that mends it. */
export const capabilityError = (group: CapabilityGroup, state: GroupState): AppError => {
  const { detail, install } = state.state === "present" ? { detail: "", install: "" } : state
  return new AppError(
    "capability_missing",
    `This needs ${PURPOSE[group]} (group '${group}'), ${WHY[state.state](detail, install)}`,
  )
}

/** @throws AppError `capability_missing` for the first of these groups that cannot be used. */
export const requireGroups = (groups: Groups, needed: readonly CapabilityGroup[]): void => {
  for (const group of needed) if (groups[group].state !== "present") throw capabilityError(group, groups[group])
}
