import type { Check } from "../../domain/health.ts"
import type { Span, Telemetry } from "./types.ts"

const span: Span = { set: () => {}, run: (work) => work(), end: () => {} }

/** Returns telemetry whose methods do nothing. `check` explains why. */
export const absentTelemetry = (check: Check): Telemetry => ({
  on: false,
  begin: () => span,
  current: () => undefined,
  record: () => {},
  watch: () => {},
  state: () => check,
  close: async () => {},
})

export const noTelemetry: Telemetry = absentTelemetry({
  state: "absent",
  detail: "disabled. Set SERVICE_OTEL_ENABLED=true to enable it.",
})
