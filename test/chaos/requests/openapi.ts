import { openApiDocument } from "#lib/api/openapi/document.ts"

/** The parts of the OpenAPI document that the generated requests use. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>
export type ApiResponse = { readonly $ref?: string; readonly headers?: object; readonly content?: Content }
type Parameter = {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}
export type Operation = {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, ApiResponse>>
}

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, "method" | "path">>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, ApiResponse>>
  }
}

export const API = JSON.parse(JSON.stringify(openApiDocument())) as Document

/** Every operation of the API. */
export const OPERATIONS: readonly Operation[] = Object.entries(API.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
)

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

export const resolveSchema = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : resolveSchema(API.components.schemas[nameOf(schema.$ref)]!)

export const resolveResponse = (response: ApiResponse): ApiResponse =>
  response.$ref === undefined ? response : API.components.responses[nameOf(response.$ref)]!
