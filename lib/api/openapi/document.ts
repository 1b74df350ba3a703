import { API_VERSION } from "../../domain/schemas.ts"
import type { Endpoints } from "../endpoint.ts"
import { ENDPOINTS_BY_TAG } from "../table.ts"
import { describeErrors } from "./errors.ts"
import { describeAllHeaders } from "./headers.ts"
import type { Json } from "./json.ts"
import { describeEndpoint } from "./operations.ts"
import { describeAllSchemas } from "./schemas.ts"
import { describeWebhooks } from "./webhooks.ts"

const TAGS: Readonly<Record<keyof typeof ENDPOINTS_BY_TAG, string>> = {
  service: "Health, engines, speech models and API tokens",
  jobs: "Submitting recordings and following their jobs",
  clips: "Recordings with their transcripts and topics",
  people: "People who speak in recordings, and who the speakers of a recording are",
  documents: "Files, and questions about them and about recordings",
  map: "The map of topics",
  webhooks: "Events that are sent to addresses of yours",
}

const describePaths = (): Json => {
  const paths: Record<string, Json> = {}
  for (const [tag, endpoints] of Object.entries<Endpoints>(ENDPOINTS_BY_TAG))
    for (const [id, endpoint] of Object.entries(endpoints))
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: describeEndpoint(id, tag, endpoint),
      }
  return paths
}

/** Returns the OpenAPI 3.1 document of the HTTP API, derived from the endpoint table. */
export const openApiDocument = (): Json => ({
  openapi: "3.1.0",
  info: {
    title: "Earmark",
    version: API_VERSION,
    description:
      "Turns recordings into a searchable map of topics. The body of every error has a sentence in `detail` and a `code` for programs.",
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/", description: "The service that serves this document" }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  paths: describePaths(),
  webhooks: describeWebhooks(),
  components: {
    schemas: describeAllSchemas(),
    headers: describeAllHeaders(),
    responses: describeErrors(),
    securitySchemes: {
      token: {
        type: "http",
        scheme: "bearer",
        description: "An API token (`earmark tokens create`) or SERVICE_API_TOKEN",
      },
    },
  },
})

/** Returns the OpenAPI document as JSON text, as it is served and committed. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`
