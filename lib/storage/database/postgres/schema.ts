import { bigint, customType, integer } from "drizzle-orm/pg-core"
import * as sqlite from "../schema/index.ts"
import { toPostgresTable } from "./schema-mapper.ts"

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" })

/** Stems with their positions, computed by the program as for every other search index. */
const fullText = () => ({ stems: tsvector().notNull(), stemCount: integer("stem_count").notNull() })

export const apiTokens = toPostgresTable(sqlite.apiTokens)
export const tokenSessions = toPostgresTable(sqlite.tokenSessions)
export const brokerMessages = toPostgresTable(sqlite.brokerMessages)
export const clips = toPostgresTable(sqlite.clips)
export const clipTags = toPostgresTable(sqlite.clipTags)
export const clipVersions = toPostgresTable(sqlite.clipVersions)
export const documents = toPostgresTable(sqlite.documents)
export const documentChunks = toPostgresTable(sqlite.documentChunks, fullText())
export const documentRevision = toPostgresTable(sqlite.documentRevision)
export const choices = toPostgresTable(sqlite.choices)
export const workers = toPostgresTable(sqlite.workers)
export const leases = toPostgresTable(sqlite.leases)
export const modelRuns = toPostgresTable(sqlite.modelRuns)
export const gpuTenants = toPostgresTable(sqlite.gpuTenants)
export const counters = toPostgresTable(sqlite.counters)
export const idempotencyKeys = toPostgresTable(sqlite.idempotencyKeys)
export const jobs = toPostgresTable(sqlite.jobs)
export const webhooks = toPostgresTable(sqlite.webhooks)
export const webhookDeliveries = toPostgresTable(sqlite.webhookDeliveries)
export const jobStages = toPostgresTable(sqlite.jobStages)
export const liveWords = toPostgresTable(sqlite.liveWords)
export const layouts = toPostgresTable(sqlite.layouts)
export const waveforms = toPostgresTable(sqlite.waveforms)
export const findables = toPostgresTable(sqlite.findables, fullText())
export const notes = toPostgresTable(sqlite.notes)
export const outbox = toPostgresTable(sqlite.outbox)
/** `seq` preserves the insertion order, which SQLite's row ID provides. */
export const topicEdits = toPostgresTable(sqlite.topicEdits, {
  seq: bigint({ mode: "number" }).generatedAlwaysAsIdentity().notNull(),
})
export const topicEditSteps = toPostgresTable(sqlite.topicEditSteps)
export const resumableUploads = toPostgresTable(sqlite.resumableUploads)
export const shares = toPostgresTable(sqlite.shares)
export const uploadParts = toPostgresTable(sqlite.uploadParts)
export const savedViews = toPostgresTable(sqlite.savedViews)
export const topicRuns = toPostgresTable(sqlite.topicRuns)
export const topics = toPostgresTable(sqlite.topics)
export const regionNames = toPostgresTable(sqlite.regionNames)
export const topicSpeech = toPostgresTable(sqlite.topicSpeech)
export const transcripts = toPostgresTable(sqlite.transcripts)
export const wordEdits = toPostgresTable(sqlite.wordEdits)
export const givenTranscripts = toPostgresTable(sqlite.givenTranscripts)
export const vectors = toPostgresTable(sqlite.vectors)
