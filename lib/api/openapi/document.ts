import { z } from "zod"
import { chunk, querySource } from "../../domain/documents.ts"
import { topicEdge, topicPoint } from "../../domain/map.ts"
import { API_VERSION, problem } from "../../domain/schemas.ts"
import { topicEdit } from "../../domain/topics/topic-edits.ts"
import { flatTopic, topicNode } from "../../domain/topics/topic-tree.ts"
import { wordSpan } from "../../domain/transcript/words.ts"
import { OPERATIONS, type Operation } from "./operations.ts"

type Json = Record<string, unknown>

const ERRORS: Readonly<Record<number, string>> = {
  400: "Not JSON, or an undecodable path",
  401: "No token, or a wrong one",
  403: "Outside the roots, or a foreign Host or Origin",
  404: "Not found",
  405: "A method that the path does not have; `Allow` lists those it has",
  409: "Not possible in the state that the job is in",
  413: "Too large",
  416: "A range after the end; `Content-Range` says how long it is",
  415: "Neither JSON nor a form",
  422: "A field is missing or wrong; the sentence names it",
  429: "Too many wrong tokens; `Retry-After` says when to try again",
  503: "A part is missing or out of reach; the sentence says what to do",
  507: "The disk is full",
}
const ALWAYS = [401, 403, 405, 429]

/** Parts of answers that are worth a name of their own. */
const PARTS: readonly (readonly [string, z.ZodType])[] = [
  ["Chunk", chunk],
  ["QuerySource", querySource],
  ["WordSpan", wordSpan],
  ["TopicNode", topicNode],
  ["FlatTopic", flatTopic],
  ["TopicEdit", topicEdit],
  ["TopicPoint", topicPoint],
  ["TopicEdge", topicEdge],
]

const schemaOf = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}

const parametersOf = (schema: z.ZodType | undefined, where: "path" | "query"): Json[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, own]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: where === "path" ? { type: "string" } : own,
  }))
}

const JOB_REQUEST = { name: "AudioJobRequest", example: { source: "~/talks/keynote.mp3", language: null } }

const bodyOf = ({ body, form, fileOnly, named = JOB_REQUEST }: Operation): Json => {
  if (fileOnly) {
    const file = { type: "string", format: "binary", description: fileOnly }
    const schema = { type: "object", properties: { file }, required: ["file"] }
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } }
  }
  if (!body) return {}
  const content: Json = {
    "application/json": { schema: { $ref: `#/components/schemas/${named.name}` }, example: named.example },
  }
  if (form) {
    const { source: _, ...fields } = schemaOf(body, "input").properties as Json
    const file = { type: "string", format: "binary", description: "The recording" }
    content["multipart/form-data"] = { schema: { type: "object", properties: { ...fields, file }, required: ["file"] } }
  }
  return { requestBody: { required: true, content } }
}

/** Streams are text to OpenAPI; the operation's summary says which events they have. */
const EVENTS = { schema: { type: "string" } }

const answersOf = ({ response, status = 200, type, errors, id }: Operation): Json => {
  const refusals = [...new Set([...errors, ...ALWAYS])].sort()
  const content = response
    ? {
        "application/json": {
          schema: { $ref: `#/components/schemas/${response.name}` },
          ...(response.example ? { example: response.example } : {}),
        },
      }
    : { [type ?? "application/json"]: { schema: { type: "string" } } }
  return {
    [status]: { description: "Success", ...(status === 204 ? {} : { content }) },
    ...(id === "clipAudio"
      ? {
          206: { description: "The part that was asked for", content },
          307: { description: "Where it is to be had, with SERVICE_BLOB_REDIRECT" },
        }
      : {}),
    ...(id === "query"
      ? { 200: { description: "Success", content: { ...content, "text/event-stream": EVENTS } } }
      : {}),
    ...(id === "vizData" ? { 304: { description: "Unchanged" } } : {}),
    ...(id === "readiness" ? { 503: { description: "A vital part is down", content } } : {}),
    ...Object.fromEntries(refusals.map((code) => [code, { $ref: `#/components/responses/E${code}` }])),
  }
}

const operation = (op: Operation): Json => ({
  operationId: op.id,
  summary: op.summary,
  tags: [op.tag],
  parameters: [...parametersOf(op.params, "path"), ...parametersOf(op.query, "query")],
  ...bodyOf(op),
  responses: answersOf(op),
})

const refusal = (code: string, description: string): [string, Json] => [
  `E${code}`,
  { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } } },
]

/** Schemas by name, each written once: where one holds another that has a name, it points at it. */
const namedSchemas = (named: readonly (readonly [string, z.ZodType])[], io: "input" | "output"): Json => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...rest }]) => [id, rest]))
}

const allSchemas = (): Json => {
  const operations = Object.values(OPERATIONS).flatMap((methods) => Object.values(methods))
  const bodies = operations.flatMap(({ body, named = JOB_REQUEST }) => (body ? [[named.name, body] as const] : []))
  const answers = operations.flatMap(({ response }) => (response ? [[response.name, response.schema] as const] : []))
  return {
    ...namedSchemas([["Problem", problem], ...PARTS, ...answers], "output"),
    ...namedSchemas(bodies, "input"),
  }
}

/** The description of the HTTP interface (OpenAPI 3.1), made of the same contracts that validate what goes over it. */
export const openApiDocument = (): Json => ({
  openapi: "3.1.0",
  info: {
    title: "Earmark",
    version: API_VERSION,
    description: 'Turns recordings into a map of what was talked about. Every error is `{"detail": "<sentence>"}`.',
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/" }],
  paths: Object.fromEntries(
    Object.entries(OPERATIONS).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, op]) => [method, operation(op)])),
    ]),
  ),
  components: {
    schemas: allSchemas(),
    responses: Object.fromEntries(Object.entries(ERRORS).map(([code, description]) => refusal(code, description))),
    securitySchemes: { token: { type: "http", scheme: "bearer", description: "SERVICE_API_TOKEN, where one is set" } },
  },
  security: [{}, { token: [] }],
})

/** The document as text, as it is served and committed. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`
