import { DiagLogLevel, diag, SpanKind } from "@opentelemetry/api"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto"
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici"
import { NodeSDK, resources, metrics as sdkMetrics, type tracing } from "@opentelemetry/sdk-node"
import { newId } from "../../domain/ids.ts"
import type { Logger } from "../logger.ts"
import { packageVersion } from "../package-root.ts"
import type { monitorExports } from "./exports.ts"
import type { Role } from "./types.ts"

const createResource = (role: Role) =>
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
 * Adapts spans of other libraries: removes query strings, which contain search terms, and makes the request spans of Next.js
 * internal, because the server records its own.
 */
const adaptSpans = (spans: tracing.ReadableSpan[]): void => {
  for (const span of spans) {
    for (const name of ["http.target", "http.url", "url.full"]) {
      const address = span.attributes[name]
      if (typeof address === "string") span.attributes[name] = address.split("?")[0]!
    }
    if (span.instrumentationScope.name === "next.js" && span.kind === SpanKind.SERVER)
      Object.assign(span, { kind: SpanKind.INTERNAL })
  }
}

const readMs = (name: string, defaultMs: number): number => {
  const given = Number(process.env[name])
  return given > 0 ? given : defaultMs
}

/** Logs each kind of SDK warning once. A client that disconnects makes Next.js write to ended spans. */
const warnOnce = (log: Logger): ((message: string) => void) => {
  const logged = new Set<string>()
  return (message) => {
    const kind = message.split("{")[0]!.slice(0, 100)
    log[logged.has(kind) || logged.size > 100 ? "debug" : "warn"]({ detail: message.slice(0, 300) }, "telemetry")
    logged.add(kind)
  }
}

/** Starts the SDK and registers it globally. The standard OTEL_* variables configure destination and interval. */
export const startSdk = (role: Role, exports: ReturnType<typeof monitorExports>, log: Logger): NodeSDK => {
  // monitorExports reports failed exports. As diagnostics, each would come with a long stack trace.
  diag.setLogger(
    { error: () => {}, warn: warnOnce(log), info: () => {}, debug: () => {}, verbose: () => {} },
    DiagLogLevel.WARN,
  )
  const traceExporter = exports.watched<tracing.ReadableSpan[], OTLPTraceExporter>(new OTLPTraceExporter(), adaptSpans)
  const exportIntervalMillis = readMs("OTEL_METRIC_EXPORT_INTERVAL", 60_000)
  const reader = new sdkMetrics.PeriodicExportingMetricReader({
    exporter: exports.watched(new OTLPMetricExporter()),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(readMs("OTEL_METRIC_EXPORT_TIMEOUT", 30_000), exportIntervalMillis),
  })
  const sdk = new NodeSDK({
    resource: createResource(role),
    resourceDetectors: [resources.envDetector, resources.hostDetector],
    ...(process.env.OTEL_TRACES_EXPORTER === "none" ? { spanProcessors: [] } : { traceExporter }),
    metricReaders: process.env.OTEL_METRICS_EXPORTER === "none" ? [] : [reader],
    // Logs go to stderr as JSON lines.
    logRecordProcessors: [],
    // Records fetch calls of engines that are part of a trace.
    instrumentations: [new UndiciInstrumentation({ requireParentforSpans: true })],
  })
  sdk.start()
  return sdk
}
