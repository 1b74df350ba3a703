/** Seconds from a cached answer to a long recording. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200]
/** The borders that the semantic conventions for generative AI give. */
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576]

/** Everything that is measured as it happens. Names and units by the OpenTelemetry semantic conventions where they have one. */
export const HISTOGRAMS = {
  "http.server.request.duration": { unit: "s", description: "Time to the end of an answer", buckets: SECONDS },
  "earmark.stage.duration": { unit: "s", description: "Time of one attempt at a stage", buckets: SECONDS },
  "gen_ai.client.operation.duration": { unit: "s", description: "Time of one call of a model", buckets: SECONDS },
  "gen_ai.client.token.usage": { unit: "{token}", description: "Tokens of one call of a model", buckets: TOKENS },
} as const
export type Histogram = keyof typeof HISTOGRAMS

/** Everything that is asked for when metrics are sent. */
export const GAUGES = {
  "earmark.jobs": { unit: "{job}", description: "Jobs by status" },
  "earmark.workers": { unit: "{worker}", description: "Workers that were heard of lately, by stage" },
  "earmark.queue.oldest": {
    unit: "s",
    description: "For how long the oldest stage is in the queue, put off or not, by stage",
  },
  "earmark.part.ready": { unit: "", description: "1 for a part of the service that works, 0 for one that is down" },
  "earmark.dead_letters": { unit: "{message}", description: "Dead letters by stage, of the first hundred" },
  "earmark.queue.depth": { unit: "{message}", description: "Messages that wait or are in hand, by stage" },
} as const
export type Gauge = keyof typeof GAUGES
