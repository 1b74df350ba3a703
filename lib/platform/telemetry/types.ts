import type { Check } from "../../domain/health.ts"
import type { TraceContext } from "../../domain/jobs/trace.ts"
import type { Gauge, Histogram } from "./metrics.ts"

export type Attributes = Readonly<Record<string, string | number | boolean>>

/** A piece of work with a beginning and an end, part of a trace. */
export interface Span {
  set(attributes: Attributes): void
  /** What `work` does, in all its asynchronous parts, belongs to this span. */
  run<T>(work: () => T): T
  /** Ends it; with `error`, as failed: its sentence is kept when it is one for people, else its kind alone. */
  end(error?: unknown): void
}

export type SpanStart = {
  /** `server`: answers a request. `consumer`: follows a message. `client`: asks another service. */
  readonly kind: "server" | "consumer" | "client" | "internal"
  readonly attributes?: Attributes
  /** Where it belongs when that is not where it is begun: what came with a request or a message. */
  readonly parent?: TraceContext | undefined
}

export type Reading = { readonly value: number; readonly attributes: Attributes }

/** Traces and metrics, as far as the core knows of them. Nothing here throws, waits for a server, or fails work. */
export interface Telemetry {
  /** False: every call does nothing, and nothing need be gathered for it. */
  readonly on: boolean
  begin(name: string, start: SpanStart): Span
  /** The context of the work that is under way, to be carried along with what follows from it. */
  current(): TraceContext | undefined
  record(histogram: Histogram, value: number, attributes: Attributes): void
  /** Asks `read` whenever metrics are exported; what it cannot tell is left out. */
  watch(gauge: Gauge, read: () => Promise<readonly Reading[]>): void
  /** For /health/ready. */
  state(): Check
  /** Sends what is left, within a bound, and then nothing more. */
  close(): Promise<void>
}
