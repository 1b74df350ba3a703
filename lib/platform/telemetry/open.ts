import { messageOf } from "../../domain/errors.ts"
import { capabilityError } from "../capabilities/registry.ts"
import { installOf } from "../capabilities/states.ts"
import type { GroupState } from "../capabilities/types.ts"
import { verifyGroup } from "../capabilities/verify-group.ts"
import type { Config } from "../config/config.ts"
import type { Logger } from "../logger.ts"
import { absentTelemetry, noTelemetry } from "./none.ts"
import type { Telemetry } from "./types.ts"

/** What a process is, in the names under which it reports. */
export type Role = "web" | "worker"

/**
 * Telemetry as the settings want it. Where its packages are missing or do not load, one sentence in the log says so with
 * the command that brings them, and the process goes on without. Never throws.
 * @param group whether the packages are installed
 */
export const openTelemetry = async (
  config: Pick<Config, "otel">,
  log: Logger,
  { role, group }: { readonly role: Role; readonly group: GroupState },
): Promise<Telemetry> => {
  if (!config.otel) return noTelemetry
  const without = (state: GroupState): Telemetry => {
    const { message } = capabilityError("telemetry", state)
    log.warn(`SERVICE_OTEL_ENABLED is set and has no effect. ${message}`)
    return absentTelemetry({ state: "absent", detail: message })
  }
  if (group.state !== "present") return without(group)
  try {
    const { startOtel } = await import("./otel.ts")
    return startOtel(role, log)
  } catch (error) {
    // Which package it is, and in its own words, shows when each is loaded alone.
    const proof = await verifyGroup("telemetry", group)
    if (proof.state !== "present") return without(proof)
    return without({
      state: "broken",
      detail: `it does not start (${messageOf(error)}).`,
      install: installOf("telemetry"),
    })
  }
}
