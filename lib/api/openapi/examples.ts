import type { ZodType, z } from "zod"
import type { Clip, ClipEntry } from "../../domain/clips.ts"
import type { DocumentEntry, QuerySource } from "../../domain/documents.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { ClipSpeakers, Person } from "../../domain/people/people.ts"
import type { SavedView } from "../../domain/saved-views.ts"
import type { Share } from "../../domain/shares.ts"
import type { ApiToken } from "../../domain/tokens.ts"
import type { TopicTree } from "../../domain/topics/topic-tree.ts"
import type { Webhook, WebhookDelivery } from "../../domain/webhooks.ts"
import type { ExportLine } from "../export.ts"
import type { EndpointTable } from "../table.ts"
import { noteExamples } from "./note-examples.ts"

type ResponseExamples = {
  readonly [K in keyof EndpointTable as EndpointTable[K] extends { response: unknown }
    ? K
    : never]: EndpointTable[K] extends {
    response: { schema: infer S extends ZodType }
  }
    ? z.output<S>
    : never
}

type EventExamples = {
  readonly [K in keyof EndpointTable as EndpointTable[K] extends { events: unknown }
    ? K
    : never]: EndpointTable[K] extends {
    events: { schema: infer S extends ZodType }
  }
    ? z.output<S>
    : never
}

const JOB_ID = "01a1f2c0-5f3a-7c1e-8a55-3f1d2b9e7a10"
const CLIP_ID = "fa678091-b771-53c5-bb5c-b97259498be6"
const DOCUMENT_ID = "01a1f2c1-0d2b-7b1a-9c3e-6a5f4e3d2c1b"
const CREATED_AT = "2026-11-23T10:00:00.000Z"
const SOURCE = "/home/ada/notes/bees.md"

const submitted = { job_id: JOB_ID, session_id: CLIP_ID }

const mapStages = <T>(value: (stage: StageName) => T) =>
  Object.fromEntries(STAGE_NAMES.map((stage) => [stage, value(stage)])) as Record<StageName, T>

const job: JobRecord = {
  job_id: JOB_ID,
  status: "running",
  session_id: CLIP_ID,
  title: "Keynote",
  stages: { ...mapStages(() => "pending"), whisper: "done", l1: "running" },
  stage_attempts: { ...mapStages(() => 0), whisper: 1, l1: 1 },
  stage_seconds: { whisper: 41.2 },
  progress: { stage: "l1", done: 3, total: 12, eta_s: 9 },
  attempts: 1,
  created_at: CREATED_AT,
  started_at: "2026-11-23T10:00:01.000Z",
}

const share: Share = {
  id: "01a1f2c0-5f3a-7c1e-8a55-3f1d2b9e7a10",
  clip_id: CLIP_ID,
  path: "/share/2zjx6k0q8w1n5v7c3b9m4t2r6y8u0i1o3p5a7s9d1f2g4h6j8k",
  title: "The dances of bees",
  start_s: 60,
  end_s: 184.5,
  with_audio: true,
  created_at: CREATED_AT,
  expires_at: "2027-02-21T08:00:00.000Z",
  last_opened_at: null,
}

const person: Person = {
  id: "01a1f2c4-2c3d-7e4f-8a51-6b7c8d9e0f1a",
  name: "Ada",
  created_at: CREATED_AT,
  clips: 12,
  speaking_s: 7384.2,
  embeddings: 9,
}

const clipSpeakers: ClipSpeakers = {
  speakers: [
    {
      speaker: "0",
      name: "Ada",
      person: { id: person.id, name: "Ada", state: "automatic", score: 0.81 },
      suggestions: [],
      has_embedding: true,
    },
    {
      speaker: "1",
      name: null,
      person: null,
      suggestions: [{ id: "01a1f2c4-2c3d-7e4f-8a51-6b7c8d9e0f1b", name: "Grace", score: 0.52 }],
      has_embedding: true,
    },
  ],
}

const apiToken: ApiToken = {
  id: "k3x9m2pq",
  name: "nightly import",
  scopes: ["write"],
  created_at: CREATED_AT,
  expires_at: "2027-02-21T10:00:00.000Z",
  last_used_at: "2026-11-23T10:05:00.000Z",
}

const savedView: SavedView = {
  id: "01a1f2c3-1b2c-7d3e-8f40-5a6b7c8d9e0f",
  name: "Interviews",
  query: "tag=interviews&sort=title",
  created_at: CREATED_AT,
}

const WEBHOOK_ID = "01a1f2c2-7a4e-7d2c-8b1f-2c3d4e5f6a7b"

const webhook: Webhook = {
  id: WEBHOOK_ID,
  url: "https://app.example/hooks/earmark",
  events: ["clip.updated", "clip.deleted"],
  description: "",
  job_id: null,
  enabled: true,
  disabled_reason: null,
  created_at: CREATED_AT,
  last_success_at: "2026-11-23T10:05:00.000Z",
}

const delivery: WebhookDelivery = {
  id: "01a1f2c3-1b2c-7d3e-9f4a-5b6c7d8e9f0a",
  webhook_id: WEBHOOK_ID,
  type: "clip.deleted",
  clip_id: CLIP_ID,
  state: "delivered",
  attempts: 1,
  created_at: "2026-11-23T10:05:00.000Z",
  next_attempt_at: null,
  ended_at: "2026-11-23T10:05:00.480Z",
  response_status: 204,
  error: null,
  payload: { type: "clip.deleted", timestamp: "2026-11-23T10:05:00.000Z", data: { id: CLIP_ID, title: "Keynote" } },
}

const tree: TopicTree = {
  topics: [
    {
      title: "The dances of bees",
      summary: "How bees tell each other where flowers are.",
      start_s: 0,
      end_s: 312.4,
      children: [
        {
          title: "Waggle dance",
          summary: "It encodes direction and distance.",
          start_s: 0,
          end_s: 181.9,
          children: [],
        },
        { title: "Round dance", summary: "It tells of flowers nearby.", start_s: 181.9, end_s: 312.4, children: [] },
      ],
    },
  ],
}

const clipEntry: ClipEntry = {
  id: CLIP_ID,
  title: "Keynote",
  source_url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  file_path: null,
  created_at: CREATED_AT,
  channel: "Bee Research",
  published_at: "2026-10-01T08:00:00.000Z",
  duration_s: 312.4,
  language: "en",
  topics: [
    {
      title: "The dances of bees",
      level: 1,
      number: "1",
      summary: "How bees tell each other where flowers are.",
      start_s: 0,
      duration_s: 312.4,
    },
    {
      title: "Waggle dance",
      level: 2,
      number: "1.1",
      summary: "It encodes direction and distance.",
      start_s: 0,
      duration_s: 181.9,
    },
  ],
  speakers: { "0": "Ada" },
  voices: 1,
  tags: ["interviews"],
  favorite: true,
  speech_engine: "sherpa",
  whisper_model: "parakeet-tdt-0.6b-v3",
  diarized: true,
  estimated_times: false,
  transcript_notes: [],
  provider: "builtin",
  llm_model: null,
  embed_model: "builtin",
}

const clip: Clip = {
  ...clipEntry,
  transcription: [
    { word: "Bees", start: 0.2, end: 0.6, speaker: "0" },
    { word: "dance.", start: 0.6, end: 1.1, speaker: "0" },
  ],
  tree,
}

const topics = { clip_id: CLIP_ID, tree, edits: [], can_undo: true, can_redo: false }

const topicRun = {
  id: JOB_ID,
  clip_id: CLIP_ID,
  created_at: CREATED_AT,
  provider: "builtin",
  llm_model: null,
  settings: null,
  topics: 3,
}

const boundaries = {
  kept: [181.9],
  moved: [{ from_s: 240, to_s: 246.5 }],
  added: [290.1],
  removed: [],
  agreement: { pk: 0.05, f1: 0.8, precision: 0.67, recall: 1 },
}

const documentEntry: DocumentEntry = {
  id: DOCUMENT_ID,
  source: SOURCE,
  name: "bees.md",
  title: "Bees",
  chunks: 12,
  ingested_at: CREATED_AT,
  state: "kept",
  uploaded: false,
}

const chunk = {
  id: `${DOCUMENT_ID}:0`,
  doc_id: DOCUMENT_ID,
  text: "The waggle dance encodes direction and distance.",
  metadata: { source: SOURCE, title: "Bees", heading: "Dances" },
}
const source: QuerySource = { chunk, score: 0.98 }

const ok = { state: "ok" } as const

const found = { clip_id: CLIP_ID, clip_title: "Keynote" }

const wordEdits = {
  edits: [
    {
      id: 1,
      at: CREATED_AT,
      edit: { kind: "text" as const, start_s: 12.4, end_s: 13.1, words: ["Grace", "Hopper"] },
    },
  ],
}

/** An example of each JSON response. */
export const RESPONSE_EXAMPLES: ResponseExamples = {
  health: { status: "ok" },
  readiness: {
    status: "ok",
    detail: "All parts work.",
    checks: {
      store: { state: "ok", picked: "sqlite" },
      broker: { state: "ok", picked: "embedded" },
      models: { state: "ok", picked: "builtin" },
      speech: { state: "ok", picked: "sherpa" },
      worker: ok,
      blobs: ok,
      telemetry: { state: "absent" },
    },
  },
  installation: {
    version: "0.10.0",
    api_version: "0.2.0",
    choices: {
      provider: { value: "builtin", reason: "no model server answers", chosen_at: CREATED_AT },
      embedder: null,
      speech: { value: "sherpa", reason: "the package is installed", chosen_at: CREATED_AT },
    },
    embedder_change: { value: "multilingual-e5-small", done: 640, total: 2210 },
    receivers: [],
    queues: [{ stage: "whisper", depth: 1, waiting: 0, consumers: 1, active_s: 4.1 }],
    workers: [
      {
        id: "01a1f2bf-1111-7c1e-8a55-3f1d2b9e7a10",
        host: "studio",
        version: "0.10.0",
        stages: [...STAGE_NAMES],
        started_at: CREATED_AT,
        active_at: null,
      },
    ],
    tables: [{ table: "transcripts", bytes: 81920 }],
  },
  listModels: {
    models: [
      {
        name: "whisper-tiny",
        use: "transcription",
        purpose: "Fast, for 99 languages",
        bytes: 103_000_000,
        fetched_bytes: 0,
        languages: null,
        licence: "MIT",
        state: "absent",
        in_use: false,
        pulling: false,
      },
    ],
    offline: false,
  },
  listModelServers: {
    servers: [
      {
        provider: "ollama",
        uses: ["language", "embedding"],
        url: "http://127.0.0.1:11434",
        state: "ok",
        can_pull: true,
        models: [
          {
            name: "gemma4:latest",
            use: "language",
            bytes: 9_600_000_000,
            context: null,
            state: "absent",
            in_use: false,
            pulling: true,
            fetched_bytes: 1_200_000_000,
          },
        ],
      },
    ],
  },
  pullModel: { pulling: "whisper-tiny" },
  listEngines: {
    engines: [
      {
        kind: "embedder",
        chosen: { value: "builtin", reason: "follows the provider", chosen_at: CREATED_AT },
        setting: null,
        options: [
          {
            value: "multilingual-e5-small",
            name: "multilingual-e5-small",
            state: "download",
            detail: "135 MB to download on first use",
            quality: "Compares texts by meaning, in about 100 languages",
            speed: "About 14 texts per second and core",
            bytes: 135_000_000,
            models: [],
            sends_to: null,
          },
        ],
      },
    ],
  },
  chooseEngine: {
    kind: "embedder",
    value: "multilingual-e5-small",
    detail: "2210 texts must be embedded with onnx/multilingual-e5-small; until then the current embedder stays in use",
    texts: 2210,
    is_pending: true,
  },
  testEngine: { ok: true, detail: "Wrote the title “Bees in Spring” for a sample.", took_ms: 840 },
  listTokens: { tokens: [apiToken], is_setting_set: false },
  createToken: {
    ...apiToken,
    last_used_at: null,
    token: "earmark_k3x9m2pq_2zjx6k0q8w1n5v7c3b9m4t2r6y8u0i1o3p5a7s9d1f2g4h6j8k",
  },
  ...noteExamples,
  listPeople: { people: [person], total: 1 },
  getPerson: person,
  renamePerson: { ...person, name: "Ada Lovelace" },
  mergePeople: person,
  splitPerson: { ...person, name: "Grace", clips: 1, speaking_s: 612.5, embeddings: 1 },
  listPersonClips: {
    clips: [
      {
        clip_id: CLIP_ID,
        clip_title: "Keynote",
        created_at: CREATED_AT,
        duration_s: 312.4,
        speakers: [{ speaker: "0", state: "automatic", score: 0.81, speaking_s: 201.7 }],
        topics: [
          {
            title: "Waggle dance",
            level: 2,
            number: "1.1",
            summary: "It encodes direction and distance.",
            start_s: 0,
            duration_s: 181.9,
          },
        ],
      },
    ],
  },
  searchPersonWords: {
    words: [
      {
        clip_id: CLIP_ID,
        clip_title: "Keynote",
        start_s: 12.4,
        speaker: "0",
        text: "The waggle dance tells where the flowers are.",
        marks: [[4, 10]],
      },
    ],
  },
  listSuggestedSpeakers: { speakers: [{ clip_id: CLIP_ID, speaker: "1", clip_title: "Keynote", score: 0.58 }] },
  listClipSpeakers: clipSpeakers,
  editClipSpeaker: clipSpeakers,
  listShares: { shares: [share] },
  createShare: { ...share, last_opened_at: null },
  listWebhooks: { webhooks: [webhook] },
  createWebhook: { ...webhook, last_success_at: null, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" },
  getWebhook: webhook,
  updateWebhook: webhook,
  listDeliveries: { deliveries: [delivery] },
  redeliver: { ...delivery, state: "pending", attempts: 0, next_attempt_at: CREATED_AT, ended_at: null },
  listJobs: { jobs: [job], next_cursor: "WzE3NjM4OTEyMDAwMDAsIjAxYTEiXQ" },
  submitJob: submitted,
  getJob: job,
  cancelJob: { ...job, status: "cancelled", progress: null, finished_at: "2026-11-23T10:00:30.000Z" },
  jobResult: { ...submitted, status: "done", clip },
  jobWords: { words: [{ word: "Welcome", start: 0.4, end: 0.9 }], next: "1-1", restarted: false },
  retryJob: submitted,
  listFeed: {
    title: "Bee Research",
    episodes: [
      {
        title: "The dances of bees",
        url: "https://example.org/dances.mp3",
        published_at: "2026-10-01T08:00:00.000Z",
        duration_s: 312,
        session_id: CLIP_ID,
      },
    ],
    total: 84,
  },
  listClips: {
    clips: [
      {
        ...clipEntry,
        gist: "How bees tell each other where flowers are.",
        strip: [{ start_s: 0, duration_s: 754.2, title: "The waggle dance", region: 3 }],
      },
    ],
    total: 1,
  },
  labelClips: { updated: [CLIP_ID], unchanged: [], failed: [] },
  clipRegions: { topics: { "1.1": 3, "1.1.1": 3 }, regions: [{ id: 3, name: "Bees · Dance" }] },
  listTags: { tags: [{ name: "interviews", clips: 12 }] },
  clipFacets: {
    total: 498,
    favorites: 7,
    tags: [{ name: "interviews", clips: 12 }],
    speakers: [{ name: "Ada", clips: 31 }],
    languages: [{ name: "en", clips: 490 }],
    subjects: [{ id: 3, name: "Bees · Dance", clips: 41 }],
  },
  listSavedViews: { views: [savedView] },
  createSavedView: savedView,
  updateSavedView: { ...savedView, name: "All interviews" },
  getClip: clip,
  editClip: clip,
  attachAudio: clip,
  clipWaveform: { duration_s: 312.4, peaks: [0, 31, 190, 255, 87] },
  retranscribe: submitted,
  listWordEdits: wordEdits,
  editWords: wordEdits,
  getTopics: topics,
  previewTopics: {
    topics: [
      { title: "Waggle dance", start_s: 0, end_s: 181.9, children: [] },
      { title: "Keeping bees", start_s: 181.9, end_s: 312.4, children: [] },
    ],
  },
  rerunTopics: submitted,
  editTopic: topics,
  resetTopic: topics,
  changeTopics: topics,
  undoTopicEdit: topics,
  redoTopicEdit: topics,
  removeTopicEdit: topics,
  listTopicRuns: { runs: [topicRun] },
  getTopicRun: { ...topicRun, tree },
  diffTopicRuns: { tolerance_s: 15, topics: boundaries, parts: boundaries, titles: [] },
  search: {
    titles: [],
    topics: [{ ...found, text: "Waggle dance", marks: [[0, 6]], title: "Waggle dance", number: "1.1", start_s: 0 }],
    words: [
      { ...found, text: "the waggle dance points to the flowers", marks: [[4, 10]], start_s: 12.8, speaker: "0" },
    ],
    notes: [],
  },
  ingest: { ingested: 2, chunks: 31, unchanged: 5, skipped: 1, pruned: 0, failed: [] },
  query: {
    answer: "The waggle dance encodes direction and distance. [1]",
    sources: [source],
    citations: [{ source: 1 }],
    provider: "builtin",
    model: null,
  },
  listDocuments: { documents: [documentEntry] },
  addDocument: { ...documentEntry, uploaded: true },
  getDocument: { ...documentEntry, parts: [chunk] },
  vizData: {
    points: [
      {
        topic_title: "Waggle dance",
        clip_id: CLIP_ID,
        clip_title: "Keynote",
        level: 2,
        start_s: 0,
        duration_s: 181.9,
        number: "1.1",
        summary: "It encodes direction and distance.",
        x: 0,
        y: 0,
        z: 0,
        cluster_id: 0,
        region_id: null,
        speaker: "0",
        speaker_name: "Ada",
      },
    ],
    clip_ids: [CLIP_ID],
    clip_titles: { [CLIP_ID]: "Keynote" },
    clip_dates: { [CLIP_ID]: CREATED_AT },
    total_topics: 1,
    total_clips: 1,
    edges: [],
    total_clusters: 1,
    distance_threshold: 0.8,
    regions: [],
    labels: [],
    layout_version: 1,
    embed_model: "builtin",
  },
  vizSearch: [
    {
      point_index: 0,
      topic_title: "Waggle dance",
      clip_title: "Keynote",
      clip_id: CLIP_ID,
      similarity: 0.61,
      score: 0.83,
      summary: "It encodes direction and distance.",
      passage: { text: "the waggle dance points to the flowers", start_s: 12.4, end_s: 15.2 },
    },
  ],
}

/** An example of an event of each stream. */
export const EVENT_EXAMPLES: EventExamples = {
  jobEvents: { event: "progress", data: job },
  query: { event: "delta", data: { text: "The waggle dance " } },
}

/** An example of a line of each response with one JSON object per line. */
export const LINE_EXAMPLES: { readonly exportLibrary: ExportLine } = {
  exportLibrary: { type: "topic", clip_id: CLIP_ID, ...clipEntry.topics[0]! },
}
