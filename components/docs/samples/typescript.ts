import { ROUTES } from "#lib/api/client/routes.ts"
import type { AnswerKind } from "../call-info.ts"
import { type ApiCall, type NamedValue, queryString } from "../filled-form.ts"
import { JAVASCRIPT, toLiteral } from "./literal.ts"
import type { SampleOptions } from "./options.ts"

/** Headers that a method of the client takes as options. */
const HEADER_OPTIONS: Readonly<Record<string, string>> = { "Idempotency-Key": "idempotencyKey", "If-Match": "ifMatch" }

const literal = (value: unknown): string => toLiteral(value, JAVASCRIPT)

const toObject = (values: readonly NamedValue[], names: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(values.map(({ name, value }) => [names[name] ?? name, value]))

/** The inputs of a call as the methods of the client take them. */
type Inputs = {
  /** The path parameters as arguments. */
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** The fields of a form and the file beside them. */
  readonly form: { readonly fields: Readonly<Record<string, unknown>>; readonly file: string } | null
  readonly options: Readonly<Record<string, unknown>>
}

const isEmpty = (object: object): boolean => Object.keys(object).length === 0

/** Writes arguments. Empty ones at the end are left out. */
const args = (params: readonly string[], ...objects: readonly object[]): string => {
  const last = objects.findLastIndex((object) => !isEmpty(object))
  return [...params, ...objects.slice(0, last + 1).map(literal)].join(", ")
}

const show = (expression: string): string => `console.log(await client.${expression})`

const openFile = (name: string): string => `await openAsBlob(${literal(name)})`

type Writer = (inputs: Inputs) => string

/** The methods whose arguments are not path parameters, then a query or body, then options. */
const SPECIAL: Readonly<Record<string, Writer>> = {
  getJob: ({ params, query, options }) => show(`job(${args(params, { ...query, ...options })})`),
  submitJob: ({ body, form, options }) =>
    form
      ? show(`upload(${openFile(form.file)}, ${literal(form.fields)}, ${literal({ filename: form.file, ...options })})`)
      : show(`submit(${args([], body as object, options)})`),
  jobEvents: ({ params }) =>
    `for await (const { status, progress } of client.events(${params[0]})) console.log(status, progress)`,
  clipAudio: ({ params }) => `console.log(client.audioUrl(${params[0]}))`,
  clipArchive: ({ params }) => `console.log(client.archiveUrl(${params[0]}))`,
  audioExcerpt: ({ params, query: { start_s, end_s } }) => {
    const range = { start_s: Number(start_s) || 0, end_s: Number(end_s) || 0 }
    return `console.log(client.audioExcerptUrl(${args(params, range)}))`
  },
  exportClip: ({ params, query }) => show(`exportClip(${[...params, literal(query.format)].join(", ")})`),
  editWords: ({ params, body, options }) =>
    show(`editWords(${args([...params, literal((body as { edits?: unknown } | null)?.edits ?? [])], options)})`),
  // The ID of a word edit is a number.
  dropWordEdit: ({ params: [id, edit], options }) =>
    show(`dropWordEdit(${args([id!, String(Number(JSON.parse(edit!)) || 1)], options)})`),
  documentPortion: ({ params: [id, portion], options }) =>
    show(`documentPortion(${args([id!, String(Number(JSON.parse(portion!)) || 0)], options)})`),
  documentFile: ({ params }) => `console.log(client.documentFileUrl(${params[0]}))`,
  addDocument: ({ form, options }) =>
    show(`addDocument(${openFile(form!.file)}, ${literal({ filename: form!.file, ...options })})`),
  vizData: ({ query: { distance_threshold: threshold }, options }) =>
    show(`vizData(${args([], { ...(threshold !== undefined && { threshold }), ...options })})`),
  vizSearch: ({ query: { q, top_k: topK } }) =>
    show(`vizSearch(${literal({ q, ...(topK !== undefined && { topK }) })})`),
}

const writeDerived =
  (call: string, input: "body" | "query" | undefined): Writer =>
  ({ params, query, body, options }) => {
    const given = input === "body" ? [body as object] : input === "query" ? [query] : []
    return show(`${call}(${args(params, ...given, options)})`)
  }

const readInputs = ({ params, query, headers, body }: ApiCall): Inputs => {
  const { fields, ...others } = toObject(query)
  return {
    params: params.map(({ value }) => literal(value)),
    query: others,
    body: body.kind === "json" ? body.value : null,
    form: body.kind === "form" ? { fields: body.fields, file: body.fileName } : null,
    options: { ...(fields !== undefined && { fields }), ...toObject(headers, HEADER_OPTIONS) },
  }
}

const CLIENT_IMPORT = 'import { createClient } from "earmark-client"'
const FILE_IMPORT = 'import { openAsBlob } from "node:fs"'

const toClientCode = (statement: string, { origin, withToken }: SampleOptions): string => {
  const token = withToken ? ", token: process.env.EARMARK_TOKEN" : ""
  return [
    ...(statement.includes("openAsBlob(") ? [FILE_IMPORT] : []),
    CLIENT_IMPORT,
    "",
    `const client = createClient({ baseUrl: ${literal(origin)}${token} })`,
    statement,
    "",
  ].join("\n")
}

const READ: Readonly<Record<AnswerKind, string>> = {
  json: "console.log(await response.json())",
  text: "console.log(await response.text())",
  lines: "for await (const text of response.body!.pipeThrough(new TextDecoderStream())) process.stdout.write(text)",
  bytes: 'await writeFile("download", response.body!)',
  none: "console.log(response.status, Object.fromEntries(response.headers))",
}

const toFetchCode = (call: ApiCall, { origin, withToken }: SampleOptions): string => {
  const { method, answer } = call.info
  const { body } = call
  const types = body.kind === "json" ? { "Content-Type": "application/json" } : {}
  const fileTypes = body.kind === "file" ? { "Content-Type": body.type } : {}
  const headers = toObject(call.headers)
  const written = Object.entries<unknown>({ ...headers, ...types, ...fileTypes }).map(
    ([name, value]) => `${JAVASCRIPT.key(name)}: ${literal(String(value))}`,
  )
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is code
  if (withToken) written.unshift("Authorization: `Bearer ${process.env.EARMARK_TOKEN}`")
  const options = [
    ...(method === "GET" ? [] : [`  method: ${literal(method)},`]),
    ...(written.length === 0 ? [] : [`  headers: { ${written.join(", ")} },`]),
    ...(body.kind === "json" ? [`  body: JSON.stringify(${toLiteral(body.value, JAVASCRIPT, "  ")}),`] : []),
    ...(body.kind === "file" ? [`  body: ${openFile(body.fileName)},`] : []),
  ]
  const address = literal(`${origin}${call.path}${queryString(call)}`)
  return [
    ...(body.kind === "file" ? [FILE_IMPORT, ""] : []),
    ...(answer === "bytes" ? ['import { writeFile } from "node:fs/promises"', ""] : []),
    options.length === 0
      ? `const response = await fetch(${address})`
      : `const response = await fetch(${address}, {\n${options.join("\n")}\n})`,
    "if (!response.ok) throw new Error(await response.text())",
    READ[answer],
    "",
  ].join("\n")
}

/** Writes a request in TypeScript: with `earmark-client`, or with fetch if the client has no method for it. */
export const toTypeScript = (call: ApiCall, options: SampleOptions): string => {
  const { id } = call.info
  const { call: name, input } = ROUTES[id]
  const isKnown = call.headers.every((header) => header.name in HEADER_OPTIONS)
  if (name === undefined || !isKnown) return toFetchCode(call, options)
  const write = SPECIAL[id] ?? writeDerived(name, input)
  return toClientCode(write(readInputs(call)), options)
}
