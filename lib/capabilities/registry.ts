import { AppError } from "../errors.ts"
import type { Deps, GroupState } from "../services/deps.ts"
import { type CapabilityGroup, GROUPS } from "./packages.ts"

/** What a group is for, as the subject of a sentence. */
const PURPOSE: Record<CapabilityGroup, string> = {
  rag: "the store of clips, jobs and vectors",
  broker: "the queue of jobs",
  audio: "speech recognition inside the service",
  telemetry: "traces and metrics",
}

/** The command that brings a group's packages, in the versions that this release was made for. */
export const installCommand = (group: CapabilityGroup, ranges: Readonly<Record<string, string>>): string => {
  const packages = GROUPS[group].map((name) => (ranges[name] ? `${name}@${ranges[name]}` : name))
  return `npm install ${packages.length > 0 ? packages.join(" ") : "--include=optional"}`
}

export const describeGroup = (group: CapabilityGroup): string => `${PURPOSE[group]} (group '${group}')`

/** The refusal of a request that needs a group which is not there: what is missing and the command that mends it. */
export const capabilityError = (group: CapabilityGroup, state: GroupState): AppError => {
  const sentence =
    state.state === "present"
      ? `This needs ${describeGroup(group)}, which is not open in this process.`
      : `This needs ${describeGroup(group)}: ${state.detail} Mend it with: ${state.install}`
  return new AppError("capability_missing", sentence)
}

/** @throws AppError `capability_missing` for the first of these groups that cannot be used. */
export const requireGroups = (groups: Deps["groups"], needed: readonly CapabilityGroup[]): void => {
  for (const group of needed) if (groups[group].state !== "present") throw capabilityError(group, groups[group])
}
