import type { ZodType, z } from "zod"
import { STAGE_NAMES } from "../../domain/jobs/stages.ts"
import type { ExportLine } from "../export.ts"
import type { EndpointTable } from "../table.ts"
import { DOCUMENT_EXAMPLES, source } from "./document-examples.ts"
import {
  apiToken,
  boundaries,
  CLIP_ID,
  CREATED_AT,
  clip,
  clipEntry,
  clipSpeakers,
  delivery,
  found,
  hit,
  hitContext,
  job,
  ok,
  person,
  replacement,
  savedView,
  share,
  submitted,
  topicRun,
  topics,
  tree,
  vocabularyEntry,
  webhook,
  wordEdits,
} from "./example-objects.ts"
import { noteExamples } from "./note-examples.ts"
import { summaryExamples } from "./summary-examples.ts"
import { threadExamples } from "./thread-examples.ts"

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
  listVocabulary: { entries: [vocabularyEntry] },
  addVocabularyEntry: vocabularyEntry,
  updateVocabularyEntry: vocabularyEntry,
  previewReplacement: {
    clips: [{ clip_id: CLIP_ID, title: "Keynote", total: 1, hits: [{ ...hit, ...hitContext }] }],
    searched: 25,
    total: 60,
    next_cursor: "eyJhIjoxfQ",
  },
  replaceHits: {
    id: replacement.id,
    edits: 1,
    clips: 1,
    skipped: [{ clip_id: CLIP_ID, start_s: 40.2, text: "cuban eddies", reason: "changed" }],
  },
  listReplacements: { replacements: [replacement] },
  undoReplacement: { edits: 12, clips: 4 },
  suggestVocabulary: { suggestions: [{ term: "Grace Hopper", sounds_like: "grace hop her", count: 3 }] },
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
  ...summaryExamples,
  ...threadExamples(source),
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
  ...DOCUMENT_EXAMPLES,
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
