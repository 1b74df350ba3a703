import type { Clip, ClipEntry } from "../../domain/clips.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { ClipSpeakers, Person } from "../../domain/people/people.ts"
import type { SavedView } from "../../domain/saved-views.ts"
import type { Share } from "../../domain/shares.ts"
import type { ApiToken } from "../../domain/tokens.ts"
import type { TopicTree } from "../../domain/topics/topic-tree.ts"
import type { Webhook, WebhookDelivery } from "../../domain/webhooks.ts"

// The objects that examples of several responses contain.

const JOB_ID = "01a1f2c0-5f3a-7c1e-8a55-3f1d2b9e7a10"
export const CLIP_ID = "fa678091-b771-53c5-bb5c-b97259498be6"
export const CREATED_AT = "2026-11-23T10:00:00.000Z"

export const submitted = { job_id: JOB_ID, session_id: CLIP_ID }

const mapStages = <T>(value: (stage: StageName) => T) =>
  Object.fromEntries(STAGE_NAMES.map((stage) => [stage, value(stage)])) as Record<StageName, T>

export const job: JobRecord = {
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

export const share: Share = {
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

export const person: Person = {
  id: "01a1f2c4-2c3d-7e4f-8a51-6b7c8d9e0f1a",
  name: "Ada",
  created_at: CREATED_AT,
  clips: 12,
  speaking_s: 7384.2,
  embeddings: 9,
}

export const clipSpeakers: ClipSpeakers = {
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

export const apiToken: ApiToken = {
  id: "k3x9m2pq",
  name: "nightly import",
  scopes: ["write"],
  created_at: CREATED_AT,
  expires_at: "2027-02-21T10:00:00.000Z",
  last_used_at: "2026-11-23T10:05:00.000Z",
}

export const savedView: SavedView = {
  id: "01a1f2c3-1b2c-7d3e-8f40-5a6b7c8d9e0f",
  name: "Interviews",
  query: "tag=interviews&sort=title",
  created_at: CREATED_AT,
}

const WEBHOOK_ID = "01a1f2c2-7a4e-7d2c-8b1f-2c3d4e5f6a7b"

export const webhook: Webhook = {
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

export const delivery: WebhookDelivery = {
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

export const tree: TopicTree = {
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

export const clipEntry: ClipEntry = {
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

export const clip: Clip = {
  ...clipEntry,
  transcription: [
    { word: "Bees", start: 0.2, end: 0.6, speaker: "0" },
    { word: "dance.", start: 0.6, end: 1.1, speaker: "0" },
  ],
  tree,
}

export const hit = { clip_id: CLIP_ID, start_s: 12.4, end_s: 13.1, speaker: "0", text: "Cuban eddies," }
export const hitContext = { replacement: "Kubernetes,", before: "we run it all on", after: "mostly in one region" }

export const replacement = {
  id: JOB_ID,
  find: "cuban eddies",
  replace_with: "Kubernetes",
  created_at: CREATED_AT,
  clips: 4,
  edits: 12,
}

export const vocabularyEntry = {
  id: JOB_ID,
  term: "Grace Hopper",
  sounds_like: ["grace hop her"],
  created_at: CREATED_AT,
}

export const topics = { clip_id: CLIP_ID, tree, edits: [], can_undo: true, can_redo: false }

export const topicRun = {
  id: JOB_ID,
  clip_id: CLIP_ID,
  created_at: CREATED_AT,
  provider: "builtin",
  llm_model: null,
  settings: null,
  topics: 3,
}

export const boundaries = {
  kept: [181.9],
  moved: [{ from_s: 240, to_s: 246.5 }],
  added: [290.1],
  removed: [],
  agreement: { pk: 0.05, f1: 0.8, precision: 0.67, recall: 1 },
}

export const ok = { state: "ok" } as const

export const found = { clip_id: CLIP_ID, clip_title: "Keynote" }

export const wordEdits = {
  edits: [
    {
      id: 1,
      at: CREATED_AT,
      edit: { kind: "text" as const, start_s: 12.4, end_s: 13.1, words: ["Grace", "Hopper"] },
    },
  ],
}
