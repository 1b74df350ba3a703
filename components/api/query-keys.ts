import type { QueryClient, QueryKey } from "@tanstack/react-query"

/** The key of every query. A key without its last arguments matches all queries that begin with it. */
export const queryKeys = {
  /** Everything that lists or counts recordings. */
  clips: ["clips"],
  clipList: (query?: object) => ["clips", "list", ...(query === undefined ? [] : [query])],
  clipIds: ["clips", "ids"],
  recentClips: ["clips", "recent"],
  suggestedClips: ["clips", "suggested"],
  hasClip: (id: string) => ["clips", "has", id],
  facets: ["clips", "facets"],
  savedViews: ["saved-views"],
  clipRegions: (id: string) => ["map", "regions", id],
  clip: (id?: string) => ["clip", ...(id === undefined ? [] : [id])],
  clipJobs: (id: string) => ["clip-jobs", id],
  liveWords: (jobId: string) => ["live-words", jobId],
  /** All lists of notes. */
  notes: ["notes"],
  recordingNotes: (id: string) => ["notes", "recording", id],
  noteList: (filters: object) => ["notes", "list", filters],
  templates: ["templates"],
  summaries: (id: string) => ["summaries", id],
  shares: (id: string) => ["shares", id],
  /** Everything that shows people or who speaks in a recording. */
  people: ["people"],
  peopleList: (query: object) => ["people", "list", query],
  personNames: (q: string) => ["people", "names", q],
  person: (id: string) => ["people", "one", id],
  personClips: (id: string) => ["people", "clips", id],
  personWords: (id: string, q: string) => ["people", "words", id, q],
  suggestedSpeakers: (id: string) => ["people", "suggested", id],
  clipSpeakers: (id: string) => ["people", "speakers", id],
  waveform: (id: string) => ["waveform", id],
  topicRuns: (id: string) => ["topic-runs", id],
  topicRun: (id: string, run: string | undefined) => ["topic-run", id, run],
  topicPreview: (id: string, detail?: string) => ["topic-preview", id, ...(detail === undefined ? [] : [detail])],
  topicHistory: (id: string) => ["topic-history", id],
  topicDiff: (id: string, a: string, b: string) => ["topic-diff", id, a, b],
  jobs: ["jobs"],
  failedJobs: ["jobs", "failed"],
  map: ["map"],
  /** `etag` is that of the map, because results refer to its points. */
  mapSearch: (query?: string, etag?: string) => ["map-search", ...[query, etag].filter((part) => part !== undefined)],
  librarySearch: (query?: string, limit?: number) =>
    query === undefined ? ["library-search"] : ["library-search", query, limit],
  scopeOptions: (query: string) => ["scope-options", query],
  threads: ["threads"],
  threadList: (q: string) => ["threads", "list", q],
  /** Everything that lists documents. */
  documents: ["documents"],
  documentList: (query: object) => ["documents", "list", query],
  document: (id: string) => ["document", id],
  documentContent: (id: string) => ["document", id, "content"],
  documentPortion: (id: string, portion: number) => ["document", id, "content", portion],
  documentMatches: (id: string, query: string) => ["document", id, "matches", query],
  feed: (url: string) => ["feed", url],
  models: ["models"],
  modelServers: ["model-servers"],
  engines: ["engines"],
  tokens: ["tokens"],
  replacementPreview: (what: string) => ["replacement-preview", what],
  /** The vocabulary and the suggestions for it. */
  vocabulary: ["vocabulary"],
  vocabularyList: ["vocabulary", "list"],
  vocabularySuggestions: ["vocabulary", "suggestions"],
  webhooks: ["webhooks"],
  deliveries: (webhook: string, state?: string) => ["deliveries", webhook, ...(state === undefined ? [] : [state])],
  readiness: ["readiness"],
  installation: ["installation"],
} as const satisfies Record<string, QueryKey | ((...args: never[]) => QueryKey)>

const invalidateAll = (queryClient: QueryClient, keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/** Reloads everything that shows titles, topics, words or names across recordings: the library, both searches, the map and people. */
export const invalidateLibrary = (queryClient: QueryClient): Promise<unknown> =>
  invalidateAll(queryClient, [
    queryKeys.clips,
    queryKeys.map,
    queryKeys.librarySearch(),
    queryKeys.mapSearch(),
    queryKeys.people,
  ])

/** Reloads recordings and everything that shows their titles, topics or words. Resolves once the recordings are reloaded. */
export const invalidateRecording = async (queryClient: QueryClient, ...ids: readonly string[]): Promise<void> => {
  void invalidateLibrary(queryClient)
  await invalidateAll(
    queryClient,
    ids.flatMap((id) => [
      queryKeys.clip(id),
      queryKeys.topicRuns(id),
      queryKeys.topicPreview(id),
      queryKeys.topicHistory(id),
      queryKeys.recordingNotes(id),
      queryKeys.summaries(id),
    ]),
  )
}

/** Reloads the job lists: the queue, the failed jobs and, given a recording, the jobs of that recording. */
export const invalidateJobs = (queryClient: QueryClient, clipId?: string): Promise<unknown> =>
  invalidateAll(queryClient, [queryKeys.jobs, ...(clipId === undefined ? [] : [queryKeys.clipJobs(clipId)])])
