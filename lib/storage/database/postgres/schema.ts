import { bigint, customType, integer } from "drizzle-orm/pg-core"
import * as sqlite from "../schema/index.ts"
import { twin } from "./schema-mapper.ts"

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" })

/** Stems and where they stand, made by the program: the same as those by which every other index finds. */
const fullText = () => ({ stems: tsvector().notNull(), stemCount: integer("stem_count").notNull() })

export const brokerMessages = twin(sqlite.brokerMessages)
export const clips = twin(sqlite.clips)
export const documents = twin(sqlite.documents)
export const documentChunks = twin(sqlite.documentChunks, fullText())
export const documentRevision = twin(sqlite.documentRevision)
export const choices = twin(sqlite.choices)
export const workers = twin(sqlite.workers)
export const leases = twin(sqlite.leases)
export const modelRuns = twin(sqlite.modelRuns)
export const gpuTenants = twin(sqlite.gpuTenants)
export const counters = twin(sqlite.counters)
export const jobs = twin(sqlite.jobs)
export const jobStages = twin(sqlite.jobStages)
export const layouts = twin(sqlite.layouts)
export const waveforms = twin(sqlite.waveforms)
export const findables = twin(sqlite.findables, fullText())
export const outbox = twin(sqlite.outbox)
/** SQLite knows the order of rows by itself. */
export const topicEdits = twin(sqlite.topicEdits, {
  seq: bigint({ mode: "number" }).generatedAlwaysAsIdentity().notNull(),
})
export const topicRuns = twin(sqlite.topicRuns)
export const topics = twin(sqlite.topics)
export const transcripts = twin(sqlite.transcripts)
export const wordEdits = twin(sqlite.wordEdits)
export const givenTranscripts = twin(sqlite.givenTranscripts)
export const vectors = twin(sqlite.vectors)
