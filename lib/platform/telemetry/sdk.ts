import { DiagLogLevel, diag, SpanKind } from "@opentelemetry/api"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto"
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici"
import { NodeSDK, resources, metrics as sdkMetrics, type tracing } from "@opentelemetry/sdk-node"
import { newId } from "../../domain/ids.ts"
import type { Logger } from "../logger.ts"
import { packageVersion } from "../package-root.ts"
import type { watchExports } from "./exports.ts"
import type { Role } from "./open.ts"

const resourceOf = (role: Role) =>
  resources.defaultResource().merge(
    resources.resourceFromAttributes({
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES are merged over these.
      "service.name": `earmark-${role}`,
      "service.namespace": "earmark",
      "service.version": packageVersion(),
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

/** What the SDK finds odd, once for each kind: a client that hangs up makes Next write on spans that have ended. */
const warnOnce = (log: Logger): ((message: string) => void) => {
  const told = new Set<string>()
  return (message) => {
    const kind = message.split("{")[0]!.slice(0, 100)
    log[told.has(kind) || told.size > 100 ? "debug" : "warn"]({ detail: message.slice(0, 300) }, "telemetry")
    told.add(kind)
  }
}

/** The SDK at work, registered globally. Where it sends and how often is said by the standard OTEL_* variables. */
export const startSdk = (role: Role, exports: ReturnType<typeof watchExports>, log: Logger): NodeSDK => {
  // Failed exports are noted where they happen; as diagnostics they would come with a page of stack each.
  diag.setLogger(
    { error: () => {}, warn: warnOnce(log), info: () => {}, debug: () => {}, verbose: () => {} },
    DiagLogLevel.WARN,
  )
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
