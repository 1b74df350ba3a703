import type { EndpointId } from "#lib/api/table.ts"
import type { Entry, Parameter, Schema } from "./document.ts"

export type ParameterPlace = "path" | "query" | "header"

/** A parameter as a form asks for it. */
export type CallParameter = {
  readonly name: string
  readonly in: ParameterPlace
  readonly isRequired: boolean
  /** What a text stands for. `list` is several of the choices. */
  readonly type: "text" | "number" | "boolean" | "choice" | "list"
  readonly choices: readonly string[]
  /** The value that the form starts with. */
  readonly initial: string
  /** An example of a value, or the default of the service. */
  readonly placeholder: string
}

/** How a program reads a successful answer. */
export type AnswerKind = "json" | "text" | "lines" | "bytes" | "none"

/** What a form and code samples need to know about an endpoint. */
export type CallInfo = {
  readonly id: EndpointId
  readonly method: string
  readonly path: string
  readonly parameters: readonly CallParameter[]
  /** The body if it is JSON. */
  readonly json: { readonly example: unknown } | null
  /** The body if it is a form with a file. `fields` says whether it has other fields. */
  readonly form: { readonly fields: boolean } | null
  /** The body if it is a file. */
  readonly file: { readonly type: string; readonly isRequired: boolean } | null
  readonly needsToken: boolean
  /** The `Accept` header, for an endpoint that rejects requests without it. */
  readonly accept: string | null
  readonly answer: AnswerKind
}

const typeOf = (schema: Schema): CallParameter["type"] => {
  if (schema.type === "array") return "list"
  if (schema.enum) return "choice"
  if (schema.type === "number" || schema.type === "integer") return "number"
  return schema.type === "boolean" ? "boolean" : "text"
}

const toText = (value: unknown): string => (value === undefined ? "" : String(value))

const describeParameter = ({ name, in: place, required, schema, example }: Parameter): CallParameter => {
  const type = typeOf(schema)
  const choices = (type === "list" ? schema.items?.enum : schema.enum)?.map(String) ?? []
  const initial = required ? toText(example ?? choices[0]) : ""
  const placeholder = schema.default === undefined ? toText(example) : `${schema.default}`
  return { name, in: place as ParameterPlace, isRequired: required, type, choices, initial, placeholder }
}

const findAnswer = ({ method, operation }: Entry): AnswerKind => {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]
  const types = Object.keys(success?.content ?? {})
  if (types.length === 0 || method === "HEAD") return "none"
  if (success!.content!["application/json"]?.schema?.$ref) return "json"
  if (types.every((type) => /event-stream|ndjson/.test(type))) return "lines"
  return types.some((type) => /^audio|\*\/\*|octet-stream/.test(type)) ? "bytes" : "text"
}

export const describeCall = (entry: Entry): CallInfo => {
  const { id, method, path, operation } = entry
  const content = operation.requestBody?.content ?? {}
  const { "application/json": json, "multipart/form-data": form, ...others } = content
  const fileType = Object.keys(others)[0]
  const accepted = Object.keys(operation.responses["200"]?.content ?? {})
  return {
    id: id as EndpointId,
    method,
    path,
    parameters: operation.parameters.map(describeParameter),
    json: json ? { example: json.example ?? {} } : null,
    form: form ? { fields: Object.keys(form.schema?.properties ?? {}).length > 1 } : null,
    file: fileType === undefined ? null : { type: fileType, isRequired: operation.requestBody!.required === true },
    needsToken: (operation.security ?? []).length > 0,
    accept: "406" in operation.responses ? accepted.join(", ") : null,
    answer: findAnswer(entry),
  }
}
