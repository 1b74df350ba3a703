import * as z from "zod"
import { chunk, querySource } from "../domain/documents.ts"
import { topicEdge, topicPoint } from "../domain/map.ts"
import { API_VERSION } from "../domain/schemas.ts"
import { topicEdit } from "../domain/topics/topic-edits.ts"
import { flatTopic, topicNode } from "../domain/topics/topic-tree.ts"
import { wordSpan } from "../domain/transcript/words.ts"
import { type Endpoint, type Endpoints, ERROR_DESCRIPTIONS, errorStatuses } from "./endpoint.ts"
import { describeRequestHeaders, describeResponseHeaders } from "./openapi-headers.ts"
import { ENDPOINTS, ENDPOINTS_BY_TAG } from "./table.ts"

type Json = Record<string, unknown>

/** Body of every error response. */
const problem = z.object({
  detail: z.string().describe("One sentence for people"),
  code: z.string().describe("For programs, such as `not_found` or `invalid`"),
  errors: z
    .array(z.object({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() }))
    .optional()
    .describe('The invalid parts of the request. `loc` leads to each, as in `["body", "speakers"]`'),
  request_id: z.string().optional().describe("As in the header `x-request-id` and the log of the service"),
})

/** Schemas inside responses that get a name of their own. */
const SHARED_SCHEMAS: readonly (readonly [string, z.ZodType])[] = [
  ["Chunk", chunk],
  ["QuerySource", querySource],
  ["WordSpan", wordSpan],
  ["TopicNode", topicNode],
  ["FlatTopic", flatTopic],
  ["TopicEdit", topicEdit],
  ["TopicPoint", topicPoint],
  ["TopicEdge", topicEdge],
]

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

const toJsonSchema = (schema: z.ZodType): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" })
  return rest
}

const describeParameters = (schema: z.ZodType | undefined, location: "path" | "query"): Json[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, own]) => ({
    name,
    in: location,
    required: location === "path" || required.includes(name),
    schema: location === "path" ? { type: "string" } : own,
  }))
}

const describeBody = ({ body, upload }: Endpoint): Json => {
  if (!body && !upload) return {}
  const content: Json = {}
  if (body) content["application/json"] = { schema: reference(body.name), example: body.example }
  if (upload) {
    const fields = Object.entries(body ? (toJsonSchema(body.schema).properties as Json) : {})
    const properties = {
      ...Object.fromEntries(fields.filter(([name]) => name !== upload.replaces)),
      file: { type: "string", format: "binary", description: upload.file },
    }
    content["multipart/form-data"] = { schema: { type: "object", properties, required: ["file"] } }
  }
  return { requestBody: { required: true, content } }
}

const describeResponses = (endpoint: Endpoint): Json => {
  const { response, status = 200, type, events, otherStatuses = {} } = endpoint
  const text = { schema: { type: "string" } }
  const content = {
    ...(response && {
      "application/json": {
        schema: reference(response.name),
        ...(response.example === undefined ? {} : { example: response.example }),
      },
    }),
    ...(type && { [type]: text }),
    ...(events && { "text/event-stream": text }),
  }
  const others = Object.entries(otherStatuses).map(([code, { description, hasBody }]) => [
    code,
    { description, ...(hasBody && { content }) },
  ])
  return {
    [status]: {
      description: "Success",
      ...describeResponseHeaders(endpoint),
      ...(status === 204 ? {} : { content }),
    },
    ...Object.fromEntries(others),
    ...Object.fromEntries(
      errorStatuses(endpoint)
        .filter((code) => !(code in otherStatuses))
        .map((code) => [code, { $ref: `#/components/responses/E${code}` }]),
    ),
  }
}

const describeEndpoint = (id: string, tag: string, endpoint: Endpoint): Json => ({
  operationId: id,
  summary: endpoint.summary,
  tags: [tag],
  parameters: [
    ...describeParameters(endpoint.params, "path"),
    ...describeParameters(endpoint.query, "query"),
    ...describeRequestHeaders(endpoint),
  ],
  ...describeBody(endpoint),
  responses: describeResponses(endpoint),
})

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

/** Returns the JSON schemas by name. A schema that contains another named one refers to it. */
const describeSchemas = (named: readonly (readonly [string, z.ZodType])[], io: "input" | "output"): Json => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...rest }]) => [id, rest]))
}

const describeAllSchemas = (): Json => {
  const endpoints = Object.values<Endpoint>(ENDPOINTS)
  const bodies = endpoints.flatMap(({ body }) => (body ? [[body.name, body.schema] as const] : []))
  const responses = endpoints.flatMap(({ response }) => (response ? [[response.name, response.schema] as const] : []))
  return {
    ...describeSchemas([["Problem", problem], ...SHARED_SCHEMAS, ...responses], "output"),
    ...describeSchemas(bodies, "input"),
  }
}

const describeErrors = (): Json =>
  Object.fromEntries(
    Object.entries(ERROR_DESCRIPTIONS).map(([code, description]) => [
      `E${code}`,
      { description, content: { "application/json": { schema: reference("Problem") } } },
    ]),
  )

/** Returns the OpenAPI 3.1 document of the HTTP API, derived from the endpoint table. */
export const openApiDocument = (): Json => ({
  openapi: "3.1.0",
  info: {
    title: "Earmark",
    version: API_VERSION,
    description:
      'Turns recordings into a searchable map of topics. The body of every error is `{"detail": "<message>"}`.',
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/" }],
  paths: describePaths(),
  components: {
    schemas: describeAllSchemas(),
    responses: describeErrors(),
    securitySchemes: { token: { type: "http", scheme: "bearer", description: "SERVICE_API_TOKEN, if it is set" } },
  },
  security: [{}, { token: [] }],
})

/** Returns the OpenAPI document as JSON text, as it is served and committed. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`
