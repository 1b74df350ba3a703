/** Seconds, from a cached response to a long recording. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200]
/** The boundaries of the semantic conventions for generative AI. */
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576]

/** Metrics recorded as events happen. Names and units follow the OpenTelemetry semantic conventions where they exist. */
export const HISTOGRAMS = {
  "http.server.request.duration": { unit: "s", description: "Time to the end of a response", buckets: SECONDS },
  "earmark.stage.duration": { unit: "s", description: "Duration of one attempt of a stage", buckets: SECONDS },
  "gen_ai.client.operation.duration": { unit: "s", description: "Duration of one model call", buckets: SECONDS },
  "gen_ai.client.token.usage": { unit: "{token}", description: "Tokens of one model call", buckets: TOKENS },
} as const
export type Histogram = keyof typeof HISTOGRAMS

/** Metrics read at each export. */
export const GAUGES = {
  "earmark.jobs": { unit: "{job}", description: "Jobs by status" },
  "earmark.workers": { unit: "{worker}", description: "Workers with a recent heartbeat, by stage" },
  "earmark.queue.oldest": {
    unit: "s",
    description: "Age of the oldest queued stage, deferred or not, by stage",
  },
  "earmark.part.ready": { unit: "", description: "1 if a part of the service works, 0 if it is down" },
  "earmark.dead_letters": { unit: "{message}", description: "Dead letters by stage, among the first hundred" },
  "earmark.table.size": { unit: "By", description: "Size of a table with its indexes, measured hourly" },
  "earmark.queue.depth": { unit: "{message}", description: "Messages waiting or in flight, by stage" },
} as const
export type Gauge = keyof typeof GAUGES
