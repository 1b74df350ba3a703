import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"
import { AppError } from "../../domain/errors.ts"
import type { Logger } from "../logger.ts"
import { monitorExports } from "./exports.ts"
import { GAUGES, HISTOGRAMS, type Histogram } from "./metrics.ts"
import { startSdk } from "./sdk.ts"
import type { Role, Span, Telemetry } from "./types.ts"

/** How long the shutdown of a process may wait for the collector. */
const FLUSH_TIMEOUT_MS = 3_000
const SCOPE = "earmark"

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/**
 * Sends traces and metrics as OTLP (protobuf over HTTP) to the collector of the standard OTEL_* variables. Registers itself
 * globally, so that the spans of Next.js are included.
 */
export const startOtel = (role: Role, log: Logger): Telemetry => {
  const exports = monitorExports(log)
  const sdk = startSdk(role, exports, log)
  const tracer = trace.getTracer(SCOPE)
  const meter = metrics.getMeter(SCOPE)
  const histograms = new Map(
    Object.entries(HISTOGRAMS).map(([name, { unit, description, buckets }]) => [
      name as Histogram,
      meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...buckets] } }),
    ]),
  )
  log.info({ to: exports.to }, "telemetry enabled")

  return {
    on: true,
    begin: (name, { kind, attributes, parent }): Span => {
      const around = parent ? propagation.extract(context.active(), parent) : context.active()
      const span = tracer.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) }, around)
      const inside = trace.setSpan(around, span)
      return {
        set: (more) => void span.setAttributes(more),
        run: (work) => context.with(inside, work),
        end: (error) => {
          if (error !== undefined) {
            const known = AppError.is(error)
            span.setAttribute("error.type", known ? error.code : error instanceof Error ? error.name : "unknown")
            span.setStatus({ code: SpanStatusCode.ERROR, ...(known && { message: error.message }) })
          }
          span.end()
        },
      }
    },
    current: () => {
      const carrier: Record<string, string> = {}
      propagation.inject(context.active(), carrier)
      const { traceparent, tracestate } = carrier
      return traceparent ? { traceparent, ...(tracestate && { tracestate }) } : undefined
    },
    record: (name, value, attributes) => histograms.get(name)?.record(value, attributes),
    watch: (name, read) =>
      meter.createObservableGauge(name, GAUGES[name]).addCallback(async (result) => {
        const readings = await read().catch(() => [])
        for (const { value, attributes } of readings) result.observe(value, attributes)
      }),
    state: exports.state,
    close: async () => {
      let timer: NodeJS.Timeout | undefined
      const bound = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_TIMEOUT_MS)
      })
      await Promise.race([sdk.shutdown().catch(() => undefined), bound])
      clearTimeout(timer)
    },
  }
}
