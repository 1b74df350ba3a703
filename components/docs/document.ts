/** The parts of an OpenAPI 3.1 document that the reference page uses. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}
type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
export type Parameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: unknown
}
export type ResponseEntry = { readonly $ref?: string; readonly description?: string; readonly content?: Content }
export type Operation = {
  readonly operationId: string
  readonly summary: string
  /** The whole text, if it is longer than the summary. */
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, ResponseEntry>>
}
export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, ResponseEntry>>
  }
}

export type Entry = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Groups the operations by tag in the order of the document. */
export const groupByTag = (document: OpenApi): ReadonlyMap<string, readonly Entry[]> => {
  const tags = new Map<string, Entry[]>()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? "other"
      const entries = tags.get(tag) ?? []
      entries.push({ id: operation.operationId, method: method.toUpperCase(), path, operation })
      tags.set(tag, entries)
    }
  return tags
}

/** Returns the name at the end of a `$ref`. */
export const schemaName = (reference: string): string => reference.split("/").at(-1) ?? reference

export const stripBackticks = (text: string): string => text.replaceAll("`", "")

/** Returns the summary and the description of an operation, which may repeat the summary. */
export const describeOperation = ({ summary, description = "" }: Operation): string => {
  const sentences = description.startsWith(summary) ? description : `${summary}. ${description}`
  return stripBackticks(sentences.trim())
}

/** Returns the description of a response, following its `$ref`. */
export const describeResponse = (document: OpenApi, response: ResponseEntry): string =>
  stripBackticks(
    (response.$ref === undefined ? response : document.components.responses[schemaName(response.$ref)])?.description ??
      "",
  )

/** Describes the limits and the default of a value: "1 to 200, default 50". */
export const describeLimits = (schema: Schema): string => {
  const describeRange = (low: number | undefined, high: number | undefined, unit: string): string[] => {
    if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`]
    if (low !== undefined) return [`at least ${low}${unit}`]
    return high === undefined ? [] : [`at most ${high}${unit}`]
  }
  return [
    ...describeRange(schema.minimum, schema.maximum, ""),
    ...describeRange(schema.minLength, schema.maxLength, " characters"),
    ...describeRange(schema.minItems, schema.maxItems, " items"),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ].join(", ")
}
