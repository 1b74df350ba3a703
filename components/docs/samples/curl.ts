import { type ApiCall, queryString, toFieldText } from "../filled-form.ts"
import type { SampleOptions } from "./options.ts"

const MAX_LINE_CHARS = 72

/** Quotes a text for a POSIX shell, if it needs it. */
const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const formatJson = (value: unknown): string => {
  const line = JSON.stringify(value)
  return line.length <= MAX_LINE_CHARS ? line : JSON.stringify(value, null, 2)
}

/** curl reads files and types from values that begin with @ or <, or contain a semicolon. */
const formField = (name: string, text: string): string =>
  `${/^[@<]|;/.test(text) ? "--form-string" : "-F"} ${quote(`${name}=${text}`)}`

const bodyOptions = ({ body }: ApiCall): string[] => {
  if (body.kind === "json") return ["-H 'content-type: application/json'", `-d ${quote(formatJson(body.value))}`]
  if (body.kind === "file")
    return [`-H ${quote(`content-type: ${body.type}`)}`, `--data-binary ${quote(`@${body.fileName}`)}`]
  if (body.kind === "none") return []
  const fields = Object.entries(body.fields).map(([name, value]) => formField(name, toFieldText(value)))
  return [...fields, `-F ${quote(`file=@${body.fileName}`)}`]
}

const methodOption = ({ info: { method }, body }: ApiCall): string => {
  if (method === "HEAD") return " -I"
  const isImplied = method === (body.kind === "none" ? "GET" : "POST")
  return isImplied ? "" : ` -X ${method}`
}

/** Writes a request as a curl command. */
export const toCurl = (call: ApiCall, { origin, withToken }: SampleOptions): string => {
  const { answer } = call.info
  const address = quote(`${origin}${call.path}${queryString(call)}`)
  return [
    `curl${answer === "lines" ? " -N" : ""}${methodOption(call)} ${address}`,
    ...(withToken ? [`-H "authorization: Bearer $EARMARK_TOKEN"`] : []),
    ...call.headers.map(({ name, value }) => `-H ${quote(`${name.toLowerCase()}: ${value}`)}`),
    ...bodyOptions(call),
    ...(answer === "bytes" ? ["--output download"] : []),
  ].join(" \\\n  ")
}
