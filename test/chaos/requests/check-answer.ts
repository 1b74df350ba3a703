import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { API, type JsonSchema, type Operation, resolveResponse, resolveSchema } from "./openapi.ts"

export type ApiAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

type Validate = (schema: object, value: unknown) => string | null

/** Returns a check of values against schemas of the document. `isPartial`: required fields may be missing. */
const createValidate = ({ isPartial }: { readonly isPartial: boolean }): Validate => {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addFormat("binary", true)
  if (isPartial) ajv.removeKeyword("required")
  ajv.addSchema(API, "openapi.json")
  const validators = new Map<string, ValidateFunction>()
  /** Compiles a schema of the document, whose references lead to other schemas of the document. */
  const validatorOf = (schema: object): ValidateFunction => {
    const key = JSON.stringify(schema)
    const known = validators.get(key)
    if (known) return known
    const compiled = ajv.compile(JSON.parse(key.replaceAll('"#/components/', '"openapi.json#/components/')))
    validators.set(key, compiled)
    return compiled
  }
  return (schema, value) => {
    const check = validatorOf(schema)
    return check(value) ? null : ajv.errorsText(check.errors)
  }
}

const validate = createValidate({ isPartial: false })
/** For answers to requests that select some fields. */
const validatePart = createValidate({ isPartial: true })

const matchesType = (declared: string, type: string): boolean =>
  declared === type || declared === "*/*" || (declared.endsWith("/*") && type.startsWith(declared.slice(0, -1)))

const checkEvents = (schema: JsonSchema, body: string): string | null => {
  if (resolveSchema(schema).type === "string") return null
  for (const block of body.split("\n\n").slice(0, -1)) {
    const event = /^event: (.*)$/m.exec(block)?.[1]
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (data === undefined) continue
    const problem = validate(schema, { event, data: JSON.parse(data) })
    if (problem) return `an event of the stream: ${problem}`
  }
  return null
}

const checkLines = (schema: object, body: string): string | null => {
  for (const line of body.trimEnd().split("\n")) {
    const problem = validate(schema, JSON.parse(line))
    if (problem) return `a line: ${problem}`
  }
  return null
}

const checkBody = (schema: JsonSchema, type: string, body: string, check: Validate): string | null => {
  if (type === "text/event-stream") return checkEvents(schema, body)
  if (type === "application/x-ndjson") return checkLines(schema, body)
  if (type !== "application/json") return null
  try {
    return check(schema, JSON.parse(body))
  } catch {
    return "the body is not JSON"
  }
}

const selectsFields = ({ parameters }: Operation, path: string): boolean =>
  parameters.some(({ name }) => name === "fields") && /[?&]fields=[^&]/.test(path)

/** Returns what the OpenAPI document does not allow in the answer to a request for `path`, or null. */
export const findProblem = (
  operation: Operation,
  path: string,
  { status, headers, body }: ApiAnswer,
): string | null => {
  const declared = operation.responses[status]
  if (!declared) return `the status ${status} is not declared: ${body.slice(0, 200)}`
  if (headers["x-request-id"] === undefined) return "the header x-request-id is missing"
  if (operation.method === "HEAD") return body === "" ? null : "a body in an answer to HEAD"
  const { content } = resolveResponse(declared)
  if (!content) return body === "" ? null : `a body without a declared type: ${body.slice(0, 100)}`
  const type = String(headers["content-type"] ?? "")
    .split(";")[0]!
    .trim()
  const known = Object.keys(content).find((name) => matchesType(name, type))
  if (known === undefined) return `the type '${type}' of status ${status} is not declared`
  const check = status === 200 && selectsFields(operation, path) ? validatePart : validate
  const problem = checkBody(content[known]!.schema, known, body, check)
  return problem && `status ${status}: ${problem}: ${body.slice(0, 300)}`
}
