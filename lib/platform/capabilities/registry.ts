import { AppError } from "../../domain/errors.ts"
import { type CapabilityGroup, GROUPS } from "./packages.ts"
import type { GroupState, Groups } from "./types.ts"

/** The purpose of each group, as the object of "This needs …". */
const PURPOSE: Record<CapabilityGroup, string> = {
  rag: "the database of clips, jobs and vectors",
  broker: "the job queue",
  audio: "speech recognition inside the service",
  telemetry: "traces and metrics",
  postgres: "the PostgreSQL database",
  s3: "recordings in object storage",
  mcp: "the server for MCP clients",
  embed: "embedding models inside the service",
}

/** Returns the command that installs a group's packages in the versions of this release. */
export const installCommand = (group: CapabilityGroup, ranges: Readonly<Record<string, string>>): string => {
  const packages = GROUPS[group].map((name) => (ranges[name] ? `${name}@${ranges[name]}` : name))
  return `npm install ${packages.length > 0 ? packages.join(" ") : "--include=optional"}`
}

/** Why a group is not available, as the rest of a sentence, and the command that fixes it. */
const WHY: Record<GroupState["state"], (detail: string, install: string) => string> = {
  present: () => "which is not open in this process.",
  missing: (detail, install) => `but ${detail} Install it with: ${install}`,
  broken: (detail, install) => `but ${detail} Reinstall it with: ${install}`,
  disabled: (detail, install) => `but ${detail} If its packages are missing, too: ${install}`,
}

/** Returns the error for a request that needs an unavailable group, with the command that fixes it. */
export const capabilityError = (group: CapabilityGroup, state: GroupState): AppError => {
  const { detail, install } = state.state === "present" ? { detail: "", install: "" } : state
  return new AppError(
    "capability_missing",
    `This needs ${PURPOSE[group]} (group '${group}'), ${WHY[state.state](detail, install)}`,
  )
}

/** @throws AppError `capability_missing` for the first of these groups that is not available */
export const requireGroups = (groups: Groups, needed: readonly CapabilityGroup[]): void => {
  for (const group of needed) if (groups[group].state !== "present") throw capabilityError(group, groups[group])
}
