import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { isAbsolute, join, resolve } from "node:path"
import * as z from "zod"
import { MAX_LEASE_S } from "../../domain/constants.ts"
import { AppError } from "../../domain/errors.ts"
import { engineChoice, providerChoice, speechModelName } from "../../domain/jobs/jobs.ts"
import { trimEndOf } from "../../domain/text/trim-end.ts"
import { formatIssue } from "../../domain/validation-messages.ts"
import { GROUP_NAMES } from "../capabilities/packages.ts"
import { type BlobPlace, blobUrl } from "./blob-config.ts"

const flag = z.enum(["true", "false", "1", "0", "yes", "no"]).transform((v) => ["true", "1", "yes"].includes(v))
const list = z.string().transform((v) =>
  v
    .split(",")
    .map((s) => s.trim())
    .filter(Boolean),
)
const number = (min: number, max: number) => z.coerce.number().min(min).max(max)
const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const days = number(0.01, 36_500)
const DAY_MS = 86_400_000
const path = z.string().transform((v) => resolve(v.replace(/^~(?=$|\/)/, homedir())))

/** Database and broker drivers throw on invalid percent-encoding, for example in a password. */
const isDecodable = (url: string): boolean => {
  try {
    return decodeURIComponent(url) !== ""
  } catch {
    return false
  }
}
const INVALID_ENCODING = "contains invalid percent-encoding: write %25 for a literal %"
const amqpUrl = z
  .url({ protocol: /^amqps?$/, error: "must look like amqp://user:password@host:5672/vhost" })
  .refine(isDecodable, INVALID_ENCODING)
/** A PostgreSQL URL. The command line uses it, too. */
export const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: "must look like postgres://user:password@host:5432/database" })
  .refine(isDecodable, INVALID_ENCODING)
const httpUrl = z.url({ protocol: /^https?$/ }).transform((v) => trimEndOf(v, /\//))
/** A URL to which paths are appended. */
const baseUrl = httpUrl.refine(
  (v) => {
    const { username, password } = new URL(v)
    return username === "" && password === "" && !/[?#]/.test(v)
  },
  { error: "must be a URL without a user name, a password, ? or #, for example http://host:8000" },
)
const apiKey = z
  .string()
  .regex(
    /^[\x21-\x7e]+$/,
    "must consist of printable ASCII characters without spaces, because it is sent in an HTTP header",
  )

const addressList = list
  .pipe(
    z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: "must be an IP address or a CIDR range" })),
  )
  .default([])

/** All settings with their defaults. `.env.example` describes them. */
const environment = z.object({
  SERVICE_HOST: z.string().min(1).default("127.0.0.1"),
  SERVICE_PORT: integer(0, 65535).default(8000),
  SERVICE_ALLOWED_HOSTS: list.optional(),
  SERVICE_ALLOWED_ORIGINS: list.default([]),
  SERVICE_BASE_PATH: z
    .string()
    .refine(
      (path) => path === "/",
      "is not supported: Earmark serves its pages and API at the root of a host name. Give it a name of its own, such as earmark.example.org (docs/guides/reverse-proxy.md)",
    )
    .default("/"),
  SERVICE_API_TOKEN: z.string().min(16).optional(),
  SERVICE_DATA_DIR: path.default(join(homedir(), ".earmark")),
  SERVICE_DB_PATH: path.optional(),
  SERVICE_DATABASE_URL: postgresUrl.optional(),
  SERVICE_DATABASE_POOL: integer(2, 200).default(10),
  SERVICE_BLOB_URL: blobUrl.optional(),
  SERVICE_BLOB_REDIRECT: flag.default(false),
  SERVICE_BROKER_URL: list.pipe(z.array(amqpUrl)).default([]),
  SERVICE_OLLAMA_BASE_URL: httpUrl.default("http://127.0.0.1:11434"),
  SERVICE_OPENAI_BASE_URL: baseUrl.optional(),
  SERVICE_OPENAI_EMBED_BASE_URL: baseUrl.optional(),
  SERVICE_OPENAI_API_KEY: apiKey.optional(),
  SERVICE_OPENAI_EMBED_API_KEY: apiKey.optional(),
  SERVICE_OPENAI_CONTEXT: integer(1024, 10_000_000).optional(),
  SERVICE_PROVIDER: providerChoice.default("auto"),
  SERVICE_LLM_MODEL: z.string().min(1).optional(),
  SERVICE_EMBED_MODEL: z.string().min(1).optional(),
  SERVICE_SPEECH_ENGINE: engineChoice.default("auto"),
  SERVICE_SPEECH_MODEL: speechModelName.optional(),
  SERVICE_SPEECH_URL: baseUrl.optional(),
  SERVICE_SPEECH_API_KEY: apiKey.optional(),
  SERVICE_SPEECH_DEVICE: z.enum(["auto", "cpu", "cuda"]).default("auto"),
  SERVICE_SPEECH_TIMEOUT_S: number(10, 86_400).default(1200),
  SERVICE_SPEAKER_EMBEDDINGS: flag.default(true),
  SERVICE_SPEAKER_THRESHOLD: number(0, 1).optional(),
  SERVICE_MODELS_DIR: path.optional(),
  SERVICE_MODELS_OFFLINE: flag.default(false),
  SERVICE_MODELS_MIRROR: baseUrl.optional(),
  SERVICE_MODELS_PROXY: z.url({ protocol: /^http$/, error: "must look like http://host:3128" }).optional(),
  SERVICE_GPU_TENANCY: z.enum(["exclusive", "shared"]).default("exclusive"),
  SERVICE_LEASE_S: number(0.2, MAX_LEASE_S).default(30),
  SERVICE_HEARTBEAT_S: number(0.05, 600).optional(),
  SERVICE_SWEEP_S: number(0.05, 600).default(5),
  SERVICE_MAX_DEFER_HOURS: number(0.001, 8760).default(24),
  SERVICE_MODEL_TIMEOUT_S: number(1, 7200).default(600),
  SERVICE_DURABILITY: z.enum(["power", "process"]).default("process"),
  SERVICE_KEEP_JOBS_DAYS: days.default(365),
  SERVICE_KEEP_FAILED_UPLOADS_DAYS: days.default(30),
  SERVICE_KEEP_PARTIAL_UPLOADS_HOURS: number(0.001, 8760).default(24),
  SERVICE_KEEP_OUTPUTS_DAYS: days.default(7),
  SERVICE_KEEP_DEAD_LETTERS_DAYS: days.default(30),
  SERVICE_KEEP_TOPIC_RUNS: integer(1, 20).default(20),
  SERVICE_INGEST_ROOTS: list.optional(),
  SERVICE_CHUNK_SIZE: integer(100, 20_000).default(1000),
  SERVICE_CHUNK_OVERLAP: integer(0, 10_000).optional(),
  SERVICE_TOP_K: integer(1, 100).default(5),
  SERVICE_QUERY_TEXT_WEIGHT: number(0, 100).default(1),
  SERVICE_QUERY_VECTOR_WEIGHT: number(0, 100).optional(),
  SERVICE_QUERY_PHRASE_WEIGHT: number(0, 100).default(0.3),
  SERVICE_QUERY_EXPANSION: number(0, 1).default(0.5),
  SERVICE_QUERY_FEEDBACK: number(0, 100).optional(),
  SERVICE_UPLOAD_QUOTA_GB: number(0.001, 1_000_000).default(1000),
  SERVICE_UPLOAD_RESERVE_MB: number(0, 1_000_000).default(256),
  SERVICE_MAX_UPLOAD_MB: number(1, 1_000_000).default(2048),
  SERVICE_PDF_FONT: path.optional(),
  SERVICE_MAX_AUDIO_HOURS: number(0.01, 1000).default(24),
  SERVICE_FETCH_PORTS: list
    .transform((v) => v.map(Number))
    .pipe(z.array(z.int().min(1).max(65535)))
    .default([80, 443]),
  SERVICE_FETCH_ALLOW: addressList,
  SERVICE_WEBHOOK_ALLOW: addressList,
  SERVICE_FETCH_TIMEOUT_S: number(1, 86_400).default(1800),
  SERVICE_DISABLE_EXTRAS: list.pipe(z.array(z.enum(GROUP_NAMES))).default([]),
  SERVICE_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  SERVICE_OTEL_ENABLED: flag.default(false),
})

/** Adds the checks that involve two settings. */
const settings = environment.superRefine((env, { addIssue }) => {
  const { SERVICE_HEARTBEAT_S: heartbeat, SERVICE_LEASE_S: lease } = env
  const { SERVICE_CHUNK_OVERLAP: overlap, SERVICE_CHUNK_SIZE: size } = env
  // A heartbeat close to the lease would let the lease expire during long stages.
  if (heartbeat !== undefined && heartbeat > lease / 2)
    addIssue({
      code: "custom",
      path: ["SERVICE_HEARTBEAT_S"],
      message: `must be at most half of SERVICE_LEASE_S, which is ${lease}`,
    })
  if (overlap !== undefined && overlap > size / 2)
    addIssue({
      code: "custom",
      path: ["SERVICE_CHUNK_OVERLAP"],
      message: `must be at most half of SERVICE_CHUNK_SIZE, which is ${size}`,
    })
  if (env.SERVICE_PROVIDER === "openai" && env.SERVICE_OPENAI_BASE_URL === undefined)
    addIssue({
      code: "custom",
      path: ["SERVICE_PROVIDER"],
      message: "needs SERVICE_OPENAI_BASE_URL, the address of an OpenAI-compatible server",
    })
})

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(environment.shape)

/** Settings whose values must not appear in messages. */
const SECRET: ReadonlySet<string> = new Set([
  "SERVICE_SPEECH_URL",
  "SERVICE_OPENAI_BASE_URL",
  "SERVICE_OPENAI_EMBED_BASE_URL",
  "SERVICE_OPENAI_API_KEY",
  "SERVICE_OPENAI_EMBED_API_KEY",
  "SERVICE_MODELS_MIRROR",
  "SERVICE_API_TOKEN",
  "SERVICE_BLOB_URL",
  "SERVICE_BROKER_URL",
  "SERVICE_DATABASE_URL",
  "SERVICE_SPEECH_API_KEY",
  "SERVICE_MODELS_PROXY",
])

/** A server that the other one's key was not given for must not get it. */
const isSameOrigin = (a: string, b: string): boolean => new URL(a).origin === new URL(b).origin

/** Returns the settings of the OpenAI-compatible servers, or null without one. */
const toOpenAiConfig = (env: z.output<typeof environment>) => {
  const { SERVICE_OPENAI_BASE_URL: url, SERVICE_OPENAI_API_KEY: key } = env
  if (url === undefined) return null
  const embedUrl = env.SERVICE_OPENAI_EMBED_BASE_URL ?? url
  return {
    url,
    apiKey: key,
    embedUrl,
    embedApiKey: env.SERVICE_OPENAI_EMBED_API_KEY ?? (isSameOrigin(url, embedUrl) ? key : undefined),
    /** The context of the language model in tokens, if the server does not tell it. */
    context: env.SERVICE_OPENAI_CONTEXT,
    /** The models, if they are set. Without, the only one that the server offers. */
    llmModel: env.SERVICE_LLM_MODEL,
    embedModel: env.SERVICE_EMBED_MODEL,
  }
}

const toConfig = (env: z.output<typeof environment>) => ({
  http: {
    host: env.SERVICE_HOST,
    port: env.SERVICE_PORT,
    allowedHosts: env.SERVICE_ALLOWED_HOSTS ?? ["localhost", "127.0.0.1", "[::1]", env.SERVICE_HOST],
    allowedOrigins: env.SERVICE_ALLOWED_ORIGINS,
    token: env.SERVICE_API_TOKEN,
    maxUploadBytes: env.SERVICE_MAX_UPLOAD_MB * 2 ** 20,
    maxJsonBytes: 32 * 2 ** 20,
  },
  data: {
    dir: env.SERVICE_DATA_DIR,
    /** PostgreSQL; undefined: SQLite at `dbPath`. */
    url: env.SERVICE_DATABASE_URL,
    /** The maximum number of PostgreSQL connections per process. */
    pool: env.SERVICE_DATABASE_POOL,
    dbPath: env.SERVICE_DB_PATH ?? join(env.SERVICE_DATA_DIR, "earmark.db"),
    /** What a committed transaction survives: a power cut, or only the end of processes. */
    durability: env.SERVICE_DURABILITY,
    /** The folder of temporary files. */
    tempDir: join(env.SERVICE_DATA_DIR, "tmp"),
  },
  /** The storage of uploaded files. */
  blobs: {
    place: env.SERVICE_BLOB_URL ?? ({ kind: "folder", dir: join(env.SERVICE_DATA_DIR, "uploads") } satisfies BlobPlace),
    /** Redirects audio players to the storage with signed URLs. */
    redirect: env.SERVICE_BLOB_REDIRECT,
    /** The maximum size of all uploads together. */
    quotaBytes: env.SERVICE_UPLOAD_QUOTA_GB * 2 ** 30,
    /** The space that uploads leave free on their disk. */
    reserveBytes: env.SERVICE_UPLOAD_RESERVE_MB * 2 ** 20,
  },
  roots: (env.SERVICE_INGEST_ROOTS ?? [homedir(), process.cwd()]).map((r) =>
    isAbsolute(r) ? resolve(r) : resolve(r.replace(/^~(?=$|\/)/, homedir())),
  ),
  /** The nodes of a RabbitMQ cluster. Empty for the queue in the database. */
  broker: { urls: env.SERVICE_BROKER_URL },
  fetch: {
    ports: env.SERVICE_FETCH_PORTS,
    allowed: env.SERVICE_FETCH_ALLOW,
    maxBytes: env.SERVICE_MAX_UPLOAD_MB * 2 ** 20,
    deadlineMs: env.SERVICE_FETCH_TIMEOUT_S * 1000,
  },
  /** Private addresses and ranges that webhooks may name. */
  webhooks: { allowed: env.SERVICE_WEBHOOK_ALLOW },
  documents: {
    chunkSize: env.SERVICE_CHUNK_SIZE,
    chunkOverlap: env.SERVICE_CHUNK_OVERLAP ?? Math.min(200, Math.floor(env.SERVICE_CHUNK_SIZE / 2)),
    topK: env.SERVICE_TOP_K,
    textWeight: env.SERVICE_QUERY_TEXT_WEIGHT,
    vectorWeight: env.SERVICE_QUERY_VECTOR_WEIGHT,
    phraseWeight: env.SERVICE_QUERY_PHRASE_WEIGHT,
    expansion: env.SERVICE_QUERY_EXPANSION,
    feedback: env.SERVICE_QUERY_FEEDBACK,
  },
  models: {
    provider: env.SERVICE_PROVIDER,
    ollamaUrl: env.SERVICE_OLLAMA_BASE_URL,
    openai: toOpenAiConfig(env),
    /** The models of Ollama. */
    llmModel: env.SERVICE_LLM_MODEL ?? "gemma4:latest",
    embedModel: env.SERVICE_EMBED_MODEL ?? "nomic-embed-text",
    timeoutMs: env.SERVICE_MODEL_TIMEOUT_S * 1000,
  },
  speech: {
    engine: env.SERVICE_SPEECH_ENGINE,
    model: env.SERVICE_SPEECH_MODEL,
    /** The URL of an OpenAI-compatible speech server, if there is one. */
    url: env.SERVICE_SPEECH_URL,
    apiKey: env.SERVICE_SPEECH_API_KEY,
    device: env.SERVICE_SPEECH_DEVICE,
    timeoutMs: env.SERVICE_SPEECH_TIMEOUT_S * 1000,
    /** The longest accepted recording, in seconds. */
    maxDuration_s: env.SERVICE_MAX_AUDIO_HOURS * 3600,
    speakers: {
      /** Whether speaker embeddings are computed and kept. */
      embeddings: env.SERVICE_SPEAKER_EMBEDDINGS,
      /** The similarity from which on names are given automatically; undefined: that of the embedder. */
      threshold: env.SERVICE_SPEAKER_THRESHOLD,
    },
    /** Where speech models are stored and how missing ones are downloaded. */
    models: {
      dir: env.SERVICE_MODELS_DIR ?? join(env.SERVICE_DATA_DIR, "models"),
      offline: env.SERVICE_MODELS_OFFLINE,
      mirror: env.SERVICE_MODELS_MIRROR,
      proxy: env.SERVICE_MODELS_PROXY,
    },
  },
  gpu: { tenancy: env.SERVICE_GPU_TENANCY },
  pipeline: {
    leaseMs: env.SERVICE_LEASE_S * 1000,
    heartbeatMs: (env.SERVICE_HEARTBEAT_S ?? env.SERVICE_LEASE_S / 3) * 1000,
    sweepMs: env.SERVICE_SWEEP_S * 1000,
    maxDeferMs: env.SERVICE_MAX_DEFER_HOURS * 3_600_000,
  },
  retention: {
    rows: {
      jobsMs: env.SERVICE_KEEP_JOBS_DAYS * DAY_MS,
      failedUploadsMs: env.SERVICE_KEEP_FAILED_UPLOADS_DAYS * DAY_MS,
      outputsMs: env.SERVICE_KEEP_OUTPUTS_DAYS * DAY_MS,
      topicRuns: env.SERVICE_KEEP_TOPIC_RUNS,
    },
    /** How long a resumable upload stays after its last part. */
    partialUploadsMs: env.SERVICE_KEEP_PARTIAL_UPLOADS_HOURS * 3_600_000,
    deadLettersMs: env.SERVICE_KEEP_DEAD_LETTERS_DAYS * DAY_MS,
  },
  /** The path of a font for PDF documents. Undefined: the bundled one. */
  pdfFont: env.SERVICE_PDF_FONT,
  disabledExtras: env.SERVICE_DISABLE_EXTRAS,
  otel: env.SERVICE_OTEL_ENABLED,
  logLevel: env.SERVICE_LOG_LEVEL,
})

export type Config = Readonly<ReturnType<typeof toConfig>>

const freeze = <T extends object>(value: T): T => {
  for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) freeze(inner)
  return Object.freeze(value)
}

/**
 * Parses the settings. Empty values count as unset.
 * @throws AppError `invalid` that names every invalid setting and the reason
 */
export const loadConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const given = Object.fromEntries(Object.entries(env).filter(([k, v]) => k.startsWith("SERVICE_") && v !== ""))
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const shown = (name: string) => (SECRET.has(name) ? name : `${name}=${JSON.stringify(given[name])}`)
    const lines = parsed.error.issues.map((i) => `${shown(String(i.path[0]))} ${formatIssue(i)}`)
    throw new AppError("invalid", `Invalid settings: ${lines.join("; ")}. See .env.example for the accepted values.`)
  }
  return freeze(toConfig(parsed.data))
}

/** Loads a .env file. Existing environment variables take precedence. */
export const readDotEnv = (file: string, env: NodeJS.ProcessEnv): void => {
  if (!existsSync(file)) return
  const before = { ...env }
  process.loadEnvFile(file)
  Object.assign(env, before)
}
