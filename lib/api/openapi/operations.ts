import * as z from "zod"
import { type Endpoint, errorStatuses, hasEtag, takesIdempotencyKey } from "../endpoint.ts"
import { selectableFields } from "../field-selection.ts"
import type { EndpointId } from "../table.ts"
import { errorReference } from "./errors.ts"
import { EVENT_EXAMPLES, LINE_EXAMPLES, RESPONSE_EXAMPLES } from "./examples.ts"
import { describeHeaders, type HeaderName } from "./headers.ts"
import { type Json, reference } from "./json.ts"
import { describeRequestHeaders } from "./request-headers.ts"
import { toJsonSchema } from "./schemas.ts"

type ObjectSchema = { readonly properties?: Record<string, Json>; readonly required?: readonly string[] }

const describeParameters = (schema: z.ZodType | undefined, location: "path" | "query"): Json[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema) as ObjectSchema
  return Object.entries(properties).map(([name, { description, examples, ...own }]) => ({
    name,
    in: location,
    description,
    required: location === "path" || required.includes(name),
    schema: location === "path" && own.type !== "string" ? { type: "string" } : own,
    ...(Array.isArray(examples) && { example: examples[0] }),
  }))
}

const describeFields = (endpoint: Endpoint): Json[] => {
  const { fieldsOf } = endpoint
  if (fieldsOf === undefined) return []
  const owner = fieldsOf === "response" ? "the response" : `\`${fieldsOf}\``
  return [
    {
      name: "fields",
      in: "query",
      description: `The fields of ${owner} to return, separated by commas. The response then lacks the others, even required ones`,
      required: false,
      style: "form",
      explode: false,
      schema: { type: "array", items: { type: "string", enum: selectableFields(endpoint) } },
    },
  ]
}

const describeForm = ({ body, upload }: Endpoint): Json => {
  const { properties = {}, required = [] }: ObjectSchema = body ? toJsonSchema(body.schema) : {}
  const file = { type: "string", format: "binary", description: upload!.file }
  return {
    type: "object",
    properties: { file, ...properties },
    required: upload!.replaces === undefined ? ["file"] : required.filter((name) => name !== upload!.replaces),
  }
}

const describeBody = (endpoint: Endpoint): Json => {
  const { body, upload, rawBody } = endpoint
  if (rawBody) {
    const content = { [rawBody.type]: { schema: { type: "string", format: "binary" } } }
    return { requestBody: { required: rawBody.isRequired, content } }
  }
  if (!body && !upload) return {}
  const content = {
    ...(body && { "application/json": { schema: reference(body.name), example: body.example } }),
    ...(upload && { "multipart/form-data": { schema: describeForm(endpoint) } }),
  }
  return { requestBody: { required: true, content } }
}

const describeContent = (id: string, { response, types = [], events, lines }: Endpoint): Json => ({
  ...(response && {
    "application/json": {
      schema: reference(response.name),
      example: RESPONSE_EXAMPLES[id as keyof typeof RESPONSE_EXAMPLES],
    },
  }),
  ...Object.fromEntries(types.map((type) => [type, { schema: { type: type.includes("json") ? "object" : "string" } }])),
  ...(lines && {
    "application/x-ndjson": { schema: reference(lines.name), example: LINE_EXAMPLES[id as keyof typeof LINE_EXAMPLES] },
  }),
  ...(events && {
    "text/event-stream": { schema: reference(events.name), example: EVENT_EXAMPLES[id as keyof typeof EVENT_EXAMPLES] },
  }),
})

/** Returns true for an edit whose response contains the new version. */
const returnsEtag = ({ isVersioned = false, response }: Endpoint): boolean =>
  isVersioned && response?.schema instanceof z.ZodObject && "etag" in response.schema.shape

const successHeaders = (endpoint: Endpoint): HeaderName[] => [
  ...(endpoint.headers ?? []),
  ...(endpoint.location === undefined ? [] : (["Location"] as const)),
  ...(hasEtag(endpoint) || returnsEtag(endpoint) ? (["ETag"] as const) : []),
  ...(takesIdempotencyKey(endpoint) ? (["Idempotent-Replayed"] as const) : []),
]

const describeResponses = (id: string, endpoint: Endpoint): Json => {
  const { status = 200, otherStatuses = {} } = endpoint
  const content = describeContent(id, endpoint)
  const others = Object.entries(otherStatuses).map(([code, { description, hasBody, headers: own }]) => [
    code,
    { description, headers: describeHeaders(own), ...(hasBody && { content }) },
  ])
  const errors = errorStatuses(endpoint).filter((code) => !(code in otherStatuses))
  return {
    [status]: {
      description: "Success",
      headers: describeHeaders(successHeaders(endpoint)),
      ...(status === 204 || Object.keys(content).length === 0 ? {} : { content }),
    },
    ...(hasEtag(endpoint) && { 304: { description: "Not modified", headers: describeHeaders(["ETag"]) } }),
    ...Object.fromEntries(others),
    ...Object.fromEntries(errors.map((code) => [code, errorReference(code)])),
  }
}

/** Returns the first sentence of a summary, and as the description any further ones and the scope that the endpoint needs. */
const describeSummary = ({ summary, scope }: Endpoint): Json => {
  const first = /^.*?(?=\. [A-Z`])/.exec(summary)?.[0]
  const sentences = [
    ...(first === undefined ? [] : [`${summary}.`]),
    ...(scope === null ? [] : [`A token needs the scope \`${scope}\`.`]),
  ]
  return { summary: first ?? summary, ...(sentences.length > 0 && { description: sentences.join(" ") }) }
}

/** An empty requirement stands for a service that requires no token. */
const describeSecurity = ({ scope }: Endpoint): Json[] => (scope === null ? [] : [{}, { token: [scope] }])

/** Returns the description of one endpoint. */
export const describeEndpoint = (id: EndpointId | string, tag: string, endpoint: Endpoint): Json => ({
  operationId: id,
  ...describeSummary(endpoint),
  tags: [tag],
  security: describeSecurity(endpoint),
  parameters: [
    ...describeParameters(endpoint.params, "path"),
    ...describeParameters(endpoint.query, "query"),
    ...describeFields(endpoint),
    ...describeRequestHeaders(endpoint),
  ],
  ...describeBody(endpoint),
  responses: describeResponses(id, endpoint),
})
