import { clipEndpoints } from "./clips.ts"
import { documentEndpoints } from "./documents.ts"
import { engineEndpoints } from "./engines.ts"
import { exportEndpoints } from "./export.ts"
import { feedEndpoints } from "./feeds.ts"
import { jobEndpoints } from "./jobs.ts"
import { mapEndpoints } from "./map.ts"
import { mcpEndpoints } from "./mcp.ts"
import { modelEndpoints } from "./models.ts"
import { noteEndpoints } from "./notes.ts"
import { peopleEndpoints } from "./people.ts"
import { replacementEndpoints } from "./replacements.ts"
import { searchEndpoints } from "./search.ts"
import { serviceEndpoints } from "./service.ts"
import { shareEndpoints } from "./shares.ts"
import { summaryEndpoints } from "./summaries.ts"
import { tagEndpoints } from "./tags.ts"
import { threadEndpoints } from "./threads.ts"
import { tokenEndpoints } from "./tokens.ts"
import { topicEndpoints } from "./topics.ts"
import { transcriptEndpoints } from "./transcripts.ts"
import { uploadEndpoints } from "./uploads.ts"
import { vocabularyEndpoints } from "./vocabulary.ts"
import { webhookEndpoints } from "./webhooks.ts"

/** The endpoints by OpenAPI tag, in the order of the reference. */
export const ENDPOINTS_BY_TAG = {
  service: { ...serviceEndpoints, ...engineEndpoints, ...modelEndpoints, ...mcpEndpoints, ...tokenEndpoints },
  jobs: { ...jobEndpoints, ...uploadEndpoints, ...feedEndpoints },
  clips: {
    ...clipEndpoints,
    ...transcriptEndpoints,
    ...topicEndpoints,
    ...searchEndpoints,
    ...tagEndpoints,
    ...exportEndpoints,
    ...shareEndpoints,
    ...noteEndpoints,
    ...vocabularyEndpoints,
    ...summaryEndpoints,
    ...threadEndpoints,
    ...replacementEndpoints,
  },
  people: peopleEndpoints,
  documents: documentEndpoints,
  map: mapEndpoints,
  webhooks: webhookEndpoints,
} as const

/** Every endpoint by its ID, which is also its OpenAPI `operationId`. */
export const ENDPOINTS = {
  ...ENDPOINTS_BY_TAG.service,
  ...ENDPOINTS_BY_TAG.jobs,
  ...ENDPOINTS_BY_TAG.clips,
  ...ENDPOINTS_BY_TAG.people,
  ...ENDPOINTS_BY_TAG.documents,
  ...ENDPOINTS_BY_TAG.map,
  ...ENDPOINTS_BY_TAG.webhooks,
} as const

export type EndpointTable = typeof ENDPOINTS
export type EndpointId = keyof EndpointTable
