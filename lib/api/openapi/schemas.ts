import * as z from "zod"
import { listedClip } from "../../domain/clips.ts"
import { chunk, documentEntry, queryCitation, querySource } from "../../domain/documents.ts"
import { check } from "../../domain/health.ts"
import { mapLabel, mapRegion, searchPassage, searchResult, topicEdge, topicPoint } from "../../domain/map.ts"
import { titleHit, topicHit, wordsHit } from "../../domain/search.ts"
import { speechModel } from "../../domain/speech-models.ts"
import { topicEdit } from "../../domain/topics/topic-edits.ts"
import { topicRunEntry } from "../../domain/topics/topic-runs.ts"
import { flatTopic, topicNode, topicTree } from "../../domain/topics/topic-tree.ts"
import { storedWordEdit } from "../../domain/transcript/word-edits.ts"
import { wordSpan } from "../../domain/transcript/words.ts"
import type { Endpoint, NamedSchema } from "../endpoint.ts"
import { ENDPOINTS } from "../table.ts"
import { problem } from "./errors.ts"
import type { Json } from "./json.ts"
import { EVENT_SCHEMAS } from "./webhooks.ts"

type SchemasByName = readonly (readonly [string, z.ZodType])[]

/** Schemas inside responses that get a name of their own. */
const SHARED_SCHEMAS: SchemasByName = [
  ["Problem", problem],
  ["Chunk", chunk],
  ["QuerySource", querySource],
  ["QueryCitation", queryCitation],
  ["WordSpan", wordSpan],
  ["TopicNode", topicNode],
  ["TopicTree", topicTree],
  ["FlatTopic", flatTopic],
  ["TopicEdit", topicEdit],
  ["TopicRunEntry", topicRunEntry],
  ["StoredWordEdit", storedWordEdit],
  ["ClipEntry", listedClip],
  ["DocumentEntry", documentEntry],
  ["TopicPoint", topicPoint],
  ["Edge", topicEdge],
  ["MapRegion", mapRegion],
  ["MapLabel", mapLabel],
  ["SearchResult", searchResult],
  ["SearchPassage", searchPassage],
  ["TitleHit", titleHit],
  ["TopicHit", topicHit],
  ["WordsHit", wordsHit],
  ["Check", check],
  ["SpeechModel", speechModel],
  ...EVENT_SCHEMAS,
]

/** Returns true if all entries of a tuple have the same type, apart from their limits and descriptions. */
const hasOneKind = (entries: readonly Json[]): boolean => new Set(entries.map(({ type }) => type)).size === 1

/** Adapts zod's JSON schema to what OpenAPI tools understand. */
const simplify = ({ jsonSchema }: { jsonSchema: Json }): void => {
  // Later versions may add fields to responses, and unknown fields of requests are ignored.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // zod states the range of safe integers for integers without a limit.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // Few tools know tuples, so they are arrays of a fixed length with entries of the kinds that occur.
  if (Array.isArray(jsonSchema.prefixItems)) {
    const { prefixItems, ...rest } = jsonSchema
    Object.assign(jsonSchema, rest, {
      items: hasOneKind(prefixItems) ? prefixItems[0] : { anyOf: prefixItems },
      minItems: prefixItems.length,
      maxItems: prefixItems.length,
    })
    delete jsonSchema.prefixItems
  }
}

type Direction = "input" | "output"

/** Returns the JSON schema of a value that is not named. */
export const toJsonSchema = (schema: z.ZodType, io: Direction = "input"): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: simplify as never })
  return rest
}

/** Returns the JSON schemas by name. A schema that contains another named one refers to it. */
const describeSchemas = (named: SchemasByName, io: Direction): Json => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { io, uri, override: simplify as never })
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...rest }]) => [id, rest]))
}

const toEntries = (schemas: readonly (NamedSchema | undefined)[]): SchemasByName =>
  schemas.flatMap((given) => (given ? [[given.name, given.schema] as const] : []))

/** Returns all named schemas of the API. */
export const describeAllSchemas = (): Json => {
  const endpoints = Object.values<Endpoint>(ENDPOINTS)
  const bodies = toEntries(endpoints.map(({ body }) => body))
  const responses = toEntries(endpoints.flatMap(({ response, events, lines }) => [response, events, lines]))
  return { ...describeSchemas([...SHARED_SCHEMAS, ...responses], "output"), ...describeSchemas(bodies, "input") }
}
