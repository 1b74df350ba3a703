import type { Check } from "../../domain/health.ts"
import type { Span, Telemetry } from "./types.ts"

const span: Span = { set: () => {}, run: (work) => work(), end: () => {} }

/** Telemetry that does nothing; `check` says why. */
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
  detail: "switched off; SERVICE_OTEL_ENABLED=true switches it on",
})
