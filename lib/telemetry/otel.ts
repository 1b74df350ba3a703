import { readFileSync } from "node:fs"
import { join } from "node:path"
import { context, DiagLogLevel, diag, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto"
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici"
import { NodeSDK, resources, metrics as sdkMetrics, type tracing } from "@opentelemetry/sdk-node"
import { AppError } from "../errors.ts"
import { newId } from "../ids.ts"
import type { Logger } from "../logger.ts"
import { packageRoot } from "../package-root.ts"
import { watchExports } from "./exports.ts"
import { GAUGES, HISTOGRAMS, type Histogram } from "./metrics.ts"
import type { Role } from "./open.ts"
import type { Span, Telemetry } from "./types.ts"

/** How long the end of a process may wait for a collector. */
const FLUSH_MS = 3_000
const SCOPE = "earmark"

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

const version = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { version: string }).version

const resourceOf = (role: Role) =>
  resources.defaultResource().merge(
    resources.resourceFromAttributes({
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES are merged over these.
      "service.name": `earmark-${role}`,
      "service.namespace": "earmark",
      "service.version": version(),
      "service.instance.id": newId(),
      "process.pid": process.pid,
    }),
  )

/**
 * Makes the spans of others fit: what people search for is nobody's business, and the one span that stands for a request
 * is the front's own, under which Next begins another.
 */
const tidy = (spans: tracing.ReadableSpan[]): void => {
  for (const span of spans) {
    for (const name of ["http.target", "http.url", "url.full"]) {
      const address = span.attributes[name]
      if (typeof address === "string") span.attributes[name] = address.split("?")[0]!
    }
    if (span.instrumentationScope.name === "next.js" && span.kind === SpanKind.SERVER)
      Object.assign(span, { kind: SpanKind.INTERNAL })
  }
}

const milliseconds = (name: string, usual: number): number => {
  const given = Number(process.env[name])
  return given > 0 ? given : usual
}

const startSdk = (role: Role, exports: ReturnType<typeof watchExports>): NodeSDK => {
  const traceExporter = exports.watched<tracing.ReadableSpan[], OTLPTraceExporter>(new OTLPTraceExporter(), tidy)
  const exportIntervalMillis = milliseconds("OTEL_METRIC_EXPORT_INTERVAL", 60_000)
  const reader = new sdkMetrics.PeriodicExportingMetricReader({
    exporter: exports.watched(new OTLPMetricExporter()),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(milliseconds("OTEL_METRIC_EXPORT_TIMEOUT", 30_000), exportIntervalMillis),
  })
  const sdk = new NodeSDK({
    resource: resourceOf(role),
    resourceDetectors: [resources.envDetector, resources.hostDetector],
    ...(process.env.OTEL_TRACES_EXPORTER === "none" ? { spanProcessors: [] } : { traceExporter }),
    metricReaders: process.env.OTEL_METRICS_EXPORTER === "none" ? [] : [reader],
    // The log goes to stderr as JSON lines, for whoever collects those.
    logRecordProcessors: [],
    // Engines that ask a server by fetch; what asks without being part of a trace is not worth one.
    instrumentations: [new UndiciInstrumentation({ requireParentforSpans: true })],
  })
  sdk.start()
  return sdk
}

/**
 * Traces and metrics by OpenTelemetry, sent as OTLP (protobuf over HTTP) to where the standard OTEL_* variables say.
 * Registers itself globally, so that Next's own spans are part of it.
 */
export const startOtel = (role: Role, log: Logger): Telemetry => {
  const warn = (message: string) => log.warn({ detail: message.slice(0, 300) }, "telemetry")
  // Failed exports are noted where they happen; as diagnostics they would come with a page of stack each.
  diag.setLogger({ error: () => {}, warn, info: () => {}, debug: () => {}, verbose: () => {} }, DiagLogLevel.WARN)
  const exports = watchExports(log)
  const sdk = startSdk(role, exports)
  const tracer = trace.getTracer(SCOPE)
  const meter = metrics.getMeter(SCOPE)
  const histograms = new Map(
    Object.entries(HISTOGRAMS).map(([name, { unit, description, buckets }]) => [
      name as Histogram,
      meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...buckets] } }),
    ]),
  )
  log.info({ to: exports.to }, "telemetry is on")

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
        timer = setTimeout(resolve, FLUSH_MS)
      })
      await Promise.race([sdk.shutdown().catch(() => undefined), bound])
      clearTimeout(timer)
    },
  }
}
