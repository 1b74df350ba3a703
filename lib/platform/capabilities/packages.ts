/** The npm packages of each capability group. They are optional dependencies. */
export const GROUPS = {
  rag: ["better-sqlite3", "drizzle-orm", "umap-js"],
  broker: ["amqplib"],
  audio: ["sherpa-onnx-node", "audio-decode"],
  telemetry: [
    "@opentelemetry/api",
    "@opentelemetry/sdk-node",
    "@opentelemetry/exporter-trace-otlp-proto",
    "@opentelemetry/exporter-metrics-otlp-proto",
    "@opentelemetry/instrumentation-undici",
  ],
  postgres: ["pg"],
  s3: ["@aws-sdk/client-s3", "@aws-sdk/lib-storage", "@aws-sdk/s3-request-presigner"],
  mcp: ["@modelcontextprotocol/server"],
  embed: ["onnxruntime-node", "@huggingface/tokenizers"],
} as const satisfies Record<string, readonly string[]>

export type CapabilityGroup = keyof typeof GROUPS
export const GROUP_NAMES = Object.keys(GROUPS) as [CapabilityGroup, ...CapabilityGroup[]]

/** Groups that not every process uses. At startup they are looked up, but not loaded. */
export const LAZY_GROUPS = [
  "audio",
  "telemetry",
  "postgres",
  "s3",
  "mcp",
  "embed",
] as const satisfies readonly CapabilityGroup[]
export type LazyGroup = (typeof LAZY_GROUPS)[number]

export const GROUP_PACKAGES: string[] = Object.values(GROUPS).flat()
