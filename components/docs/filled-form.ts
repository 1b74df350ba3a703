import type { CallInfo, CallParameter, ParameterPlace } from "./call-info.ts"

export type BodyKind = "json" | "form" | "file" | "none"

/** What a person has filled in. Parameters without a text are not sent. */
export type FilledForm = {
  /** Texts of the parameters by `keyOf`. */
  readonly texts: Readonly<Record<string, string>>
  readonly bodyKind: BodyKind
  /** The JSON body, or the fields beside the file of a form. */
  readonly json: unknown
  readonly file: { readonly name: string } | null
}

export type NamedValue = { readonly name: string; readonly value: string | number | readonly string[] }

export type CallBody =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "form"; readonly fields: Readonly<Record<string, unknown>>; readonly fileName: string }
  | { readonly kind: "file"; readonly type: string; readonly fileName: string }

/** A request as code samples write it and as the page sends it. */
export type ApiCall = {
  readonly info: CallInfo
  readonly path: string
  readonly params: readonly NamedValue[]
  readonly query: readonly NamedValue[]
  readonly headers: readonly NamedValue[]
  readonly body: CallBody
}

export const keyOf = ({ in: place, name }: Pick<CallParameter, "in" | "name">): string => `${place}:${name}`

/** Returns the form as it is shown first: with the examples of the OpenAPI document. */
export const emptyForm = (info: CallInfo): FilledForm => ({
  texts: Object.fromEntries(info.parameters.map((parameter) => [keyOf(parameter), parameter.initial])),
  bodyKind: info.json ? "json" : info.form ? "form" : info.file?.isRequired ? "file" : "none",
  json: info.json?.example,
  file: null,
})

/** Stands for a value that is required and not filled in, such as `JOB_ID`. */
const placeholderOf = (name: string): string => name.toUpperCase().replace(/\W/g, "_")

const toValue = ({ type }: CallParameter, text: string): NamedValue["value"] => {
  if (type === "list") return text.split(",")
  return type === "number" && /^-?(\d+(\.\d+)?|\.\d+)$/.test(text) ? Number(text) : text
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const toBody = ({ file: rawFile, form }: CallInfo, { bodyKind, json, file }: FilledForm): CallBody => {
  const { source: _, ...fields } = isFields(json) ? json : {}
  if (bodyKind === "json") return { kind: "json", value: json }
  if (bodyKind === "form")
    return form?.fields
      ? { kind: "form", fields, fileName: file?.name ?? "recording.mp3" }
      : { kind: "form", fields: {}, fileName: file?.name ?? "document.pdf" }
  return bodyKind === "file"
    ? { kind: "file", type: rawFile!.type, fileName: file?.name ?? "part.bin" }
    : { kind: "none" }
}

/** Returns the request that a form describes. */
export const toCall = (info: CallInfo, form: FilledForm): ApiCall => {
  const valuesIn = (place: ParameterPlace): NamedValue[] =>
    info.parameters
      .filter((parameter) => parameter.in === place)
      .flatMap((parameter) => {
        const text = form.texts[keyOf(parameter)] ?? ""
        if (text !== "") return [{ name: parameter.name, value: toValue(parameter, text) }]
        return parameter.isRequired ? [{ name: parameter.name, value: placeholderOf(parameter.name) }] : []
      })
  const params = valuesIn("path")
  const path = params.reduce(
    (filled, { name, value }) => filled.replace(`{${name}}`, () => encodeURIComponent(String(value))),
    info.path,
  )
  const accept = info.accept === null ? [] : [{ name: "Accept", value: info.accept }]
  return {
    info,
    path,
    params,
    query: valuesIn("query"),
    headers: [...accept, ...valuesIn("header")],
    body: toBody(info, form),
  }
}

/** Returns the query string with its question mark, or nothing. Commas stay readable. */
export const queryString = ({ query }: ApiCall): string => {
  const pairs = query.map(({ name, value }) => `${name}=${encodeURIComponent(String(value)).replaceAll("%2C", ",")}`)
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

/** Returns the text of a form field: texts as they are, other values as JSON. */
export const toFieldText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
