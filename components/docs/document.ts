/** The parts of an OpenAPI 3.1 document that the reference page shows. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string
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
  readonly schema: Schema
}
export type Answer = { readonly $ref?: string; readonly description?: string; readonly content?: Content }
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
}
export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

export type Entry = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The operations by tag, each under an anchor of its own, in the document's order. */
export const byTag = (document: OpenApi): ReadonlyMap<string, readonly Entry[]> => {
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

/** The name that a reference points at. */
export const nameOf = (reference: string): string => reference.split("/").at(-1) ?? reference

/** Descriptions mark code by backticks; the page sets it in no type of its own. */
export const plain = (text: string): string => text.replaceAll("`", "")

/** What an answer says, also where it is written elsewhere in the document. */
export const meaningOf = (document: OpenApi, answer: Answer): string =>
  plain((answer.$ref === undefined ? answer : document.components.responses[nameOf(answer.$ref)])?.description ?? "")

/** Limits and default of a value in words: "1 to 200, 50 by default". */
export const limitsOf = (schema: Schema): string => {
  // Half of the safe whole numbers is how "no limit" is written.
  const real = (n: number | undefined) => (n !== undefined && Math.abs(n) < Number.MAX_SAFE_INTEGER ? n : undefined)
  const span = (low: number | undefined, high: number | undefined, unit: string): string[] => {
    if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`]
    if (low !== undefined) return [`at least ${low}${unit}`]
    return high === undefined ? [] : [`at most ${high}${unit}`]
  }
  return [
    ...span(real(schema.minimum), real(schema.maximum), ""),
    ...span(schema.minLength, schema.maxLength, " characters"),
    ...span(schema.minItems, schema.maxItems, " items"),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} by default`]),
  ].join(", ")
}

/** A call to try in a shell, of the service at `origin`. */
export const curlOf = ({ method, path, operation }: Entry, origin: string): string => {
  const body = operation.requestBody?.content["application/json"]?.example
  const needed = operation.parameters.filter((p) => p.in === "query" && p.required).map((p) => `${p.name}=…`)
  const address = `${origin}${path}${needed.length > 0 ? `?${needed.join("&")}` : ""}`
  const quoted = /[?&{}]/.test(address) ? `'${address}'` : address
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted}`,
    ...(body === undefined
      ? []
      : ["  -H 'content-type: application/json'", `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n")
}
