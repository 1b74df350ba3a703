import type { Check } from "../../domain/health.ts"
import type { TraceContext } from "../../domain/jobs/stages.ts"
import type { Gauge, Histogram } from "./metrics.ts"

/** The kind of process that reports telemetry. */
export type Role = "web" | "worker"

export type Attributes = Readonly<Record<string, string | number | boolean>>

/** A timed operation in a trace. */
export interface Span {
  set(attributes: Attributes): void
  /** Runs `work` with this span as the active one, including its asynchronous parts. */
  run<T>(work: () => T): T
  /** Ends the span, as failed if there is an error. The message is recorded only for an AppError. */
  end(error?: unknown): void
}

export type SpanStart = {
  /** `server`: handles a request. `consumer`: handles a message. `client`: calls another service. */
  readonly kind: "server" | "consumer" | "client" | "internal"
  readonly attributes?: Attributes
  /** The context received with a request or a message. The active context by default. */
  readonly parent?: TraceContext | undefined
}

export type Reading = { readonly value: number; readonly attributes: Attributes }

/** Records traces and metrics. No method throws or waits for a server. */
export interface Telemetry {
  /** False if every call is a no-op. */
  readonly on: boolean
  begin(name: string, start: SpanStart): Span
  /** Returns the active trace context, to be passed to follow-up work. */
  current(): TraceContext | undefined
  record(histogram: Histogram, value: number, attributes: Attributes): void
  /** Calls `read` at each export of metrics. Values that cannot be read are omitted. */
  watch(gauge: Gauge, read: () => Promise<readonly Reading[]>): void
  /** Returns the check for /health/ready. */
  state(): Check
  /** Sends pending data within a time limit and stops. */
  close(): Promise<void>
}
