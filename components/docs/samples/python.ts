import type { AnswerKind } from "../call-info.ts"
import { type ApiCall, toFieldText } from "../filled-form.ts"
import { PYTHON, toLiteral } from "./literal.ts"
import type { SampleOptions } from "./options.ts"

const INDENT = "    "

const READ: Readonly<Record<AnswerKind, readonly string[]>> = {
  json: ["print(response.json())"],
  text: ["print(response.text)"],
  lines: ["for line in response.iter_lines(decode_unicode=True):", `${INDENT}print(line)`],
  bytes: ['with open("download", "wb") as file:', `${INDENT}file.write(response.content)`],
  none: ["print(response.status_code, dict(response.headers))"],
}

const headersOf = ({ headers, body }: ApiCall, withToken: boolean): string | null => {
  const given = headers.map(({ name, value }) => [name, String(value)] as const)
  const type = body.kind === "file" ? [["Content-Type", body.type] as const] : []
  const entries = [...given, ...type].map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  // Single quotes inside, because f-strings cannot contain their own before Python 3.12.
  if (withToken) entries.unshift(`"Authorization": f"Bearer {os.environ['EARMARK_TOKEN']}"`)
  if (entries.length === 0) return null
  if (entries.length === 1) return `headers={${entries[0]}}`
  return `headers={\n${entries.map((entry) => `${INDENT}${INDENT}${entry},\n`).join("")}${INDENT}}`
}

const bodyArguments = ({ body }: ApiCall): string[] => {
  if (body.kind === "json") return [`json=${toLiteral(body.value, PYTHON, INDENT)}`]
  if (body.kind === "file") return [`data=open(${JSON.stringify(body.fileName)}, "rb")`]
  if (body.kind === "none") return []
  const fields = Object.fromEntries(Object.entries(body.fields).map(([name, value]) => [name, toFieldText(value)]))
  return [
    ...(Object.keys(fields).length === 0 ? [] : [`data=${toLiteral(fields, PYTHON, INDENT)}`]),
    `files={"file": open(${JSON.stringify(body.fileName)}, "rb")}`,
  ]
}

/** Writes a request in Python, with the package requests. */
export const toPython = (call: ApiCall, { origin, withToken }: SampleOptions): string => {
  const { method, answer } = call.info
  const query = Object.fromEntries(
    call.query.map(({ name, value }) => [name, typeof value === "number" ? value : String(value)]),
  )
  const headers = headersOf(call, withToken)
  const parts = [
    JSON.stringify(`${origin}${call.path}`),
    ...(call.query.length === 0 ? [] : [`params=${toLiteral(query, PYTHON, INDENT)}`]),
    ...(headers === null ? [] : [headers]),
    ...bodyArguments(call),
    ...(answer === "lines" ? ["stream=True"] : []),
  ]
  const line = `response = requests.${method.toLowerCase()}(${parts.join(", ")})`
  const isShort = parts.length === 1 || (line.length <= 80 && !line.includes("\n"))
  return [
    ...(withToken ? ["import os", ""] : []),
    "import requests",
    "",
    isShort
      ? line
      : `response = requests.${method.toLowerCase()}(\n${parts.map((part) => `${INDENT}${part},\n`).join("")})`,
    "response.raise_for_status()",
    ...READ[answer],
    "",
  ].join("\n")
}
