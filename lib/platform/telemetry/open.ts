import { messageOf } from "../../domain/errors.ts"
import { capabilityError } from "../capabilities/registry.ts"
import { installCommandFor } from "../capabilities/states.ts"
import type { GroupState } from "../capabilities/types.ts"
import { verifyGroup } from "../capabilities/verify-group.ts"
import type { Config } from "../config/config.ts"
import type { Logger } from "../logger.ts"
import { absentTelemetry, noTelemetry } from "./none.ts"
import type { Role, Telemetry } from "./types.ts"

/**
 * Starts telemetry if it is enabled. If its packages are missing or do not load, logs the install command once and continues
 * without telemetry. Never throws.
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
    // Loading each package separately identifies the one that failed.
    const verified = await verifyGroup("telemetry", group)
    if (verified.state !== "present") return without(verified)
    return without({
      state: "broken",
      detail: `it does not start (${messageOf(error)}).`,
      install: installCommandFor("telemetry"),
    })
  }
}
