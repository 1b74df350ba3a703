import fc from "fast-check"
import type { Operation } from "./openapi.ts"
import { fieldOf, hostileText, hostileValue, type Specials } from "./values.ts"

const UPLOAD_TYPE = "application/offset+octet-stream"

/** A request as it is sent. `path` is encoded. */
export type ApiRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array | null
}

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>
/** The parts of a request before they are written as bytes. */
type Parts = {
  readonly params: Fields
  readonly query: Fields
  readonly headers: Headers
  readonly json: unknown
}

/** Encodes a value for a URL. Lone surrogates, which no client can send, become replacement characters. */
const encode = (value: unknown): string =>
  encodeURIComponent((typeof value === "string" ? value : JSON.stringify(value)).replace(/\p{Cs}/gu, "\ufffd"))

const fillPath = ({ path }: Operation, params: Fields): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encode(params[name])
    // Clients normalize these two segments away before they send a path.
    return value === "" || value === "." || value === ".." ? "x" : value
  })

/** Writes lists of texts as the document describes them: separated by commas. */
const toQueryText = (value: unknown): unknown =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string") ? value.join(",") : value

const toQuery = (query: Fields): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const written = pairs.map(([name, value]) => `${encode(name)}=${encode(toQueryText(value))}`)
  return written.length === 0 ? "" : `?${written.join("&")}`
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const BOUNDARY = "earmark-requests"

const toForm = (fields: Fields, file: { name: string; content: string } | null): Uint8Array => {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value)
    return [
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, "")}"\r\n\r\n${text}\r\n`,
    ]
  })
  if (file)
    parts.push(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\n\r\n${file.content}\r\n`,
    )
  return bytes(`${parts.join("")}--${BOUNDARY}--\r\n`)
}

const FILES = [
  { name: "notes.md", content: "# Bees\n\nThe waggle dance encodes direction." },
  { name: "notes.txt", content: "" },
  { name: "talk.wav", content: "RIFF\x10\0\0\0WAVEfmt " },
  { name: "paper.pdf", content: "%PDF-1.4 broken" },
  { name: "table.csv", content: "a,b\n1,2" },
  { name: "../../evil.html", content: "<script>alert(1)</script>" },
  { name: "talk.srt", content: "1\n00:00:00,000 --> 00:00:01,000\nHello\n" },
  { name: "x".repeat(300), content: "\0\0\0" },
] as const

const HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  accept: fc.constantFrom("text/event-stream", "text/html", "*/*", "application/json;q=0", ""),
  "if-none-match": fc.constantFrom("*", '"x"', 'W/"x", "y"', "garbage"),
  range: fc.constantFrom("bytes=0-1", "bytes=-5", "bytes=99999999999-", "bytes=5-1", "items=0-1", "bytes=a-b"),
  "if-range": fc.constantFrom('"x"', "Mon, 23 Nov 2026 10:00:00 GMT"),
  "x-request-id": fc.constantFrom("plain-id", "with space", "x".repeat(300)),
  traceparent: fc.constantFrom("00-11111111111111111111111111111111-2222222222222222-01", "garbage"),
  "idempotency-key": fc.constantFrom("key-1", "key-2", " ", "x".repeat(256)),
  "content-encoding": fc.constantFrom("gzip", "identity", "x".repeat(200)),
  "if-match": fc.constantFrom("*", '"x"'),
  "accept-language": fc.constantFrom("de", "*"),
  origin: fc.constantFrom("https://evil.example", "null"),
  authorization: fc.constantFrom("Bearer wrong", "Basic eDp5"),
}

const extraHeaders = fc
  .uniqueArray(fc.constantFrom(...Object.keys(HEADERS)), { maxLength: 2 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, HEADERS[name]!]))))

/** A request may ask to wait for the end of a job, which is no hang. */
const NO_WAIT = fc.constant(0)

const parametersOf = ({ parameters }: Operation, location: "path" | "query", special: Specials) => {
  const own = parameters.filter((parameter) => parameter.in === location)
  const fields = own.map(
    ({ name, schema }) => [name, name === "wait" ? NO_WAIT : fieldOf(name, schema, special)] as const,
  )
  const requiredKeys = own.filter(({ required }) => required).map(({ name }) => name)
  return fc.record(Object.fromEntries(fields), { requiredKeys })
}

/** Returns the headers that an operation requires, and the types of its answers. */
const requiredHeaders = ({ parameters, responses }: Operation, special: Specials): fc.Arbitrary<Headers> => {
  const required = parameters.filter((parameter) => parameter.in === "header" && parameter.required)
  const values = required.map(({ name, example }) => {
    const all = (special[name]?.() ?? [example]).map(String)
    return [name.toLowerCase(), fc.constantFrom(...all)] as const
  })
  const types = Object.keys(responses[200]?.content ?? {}).join(", ")
  const accept = fc.constantFrom("*/*", types || "*/*")
  return fc.record({ ...Object.fromEntries(values), accept })
}

const bodyOf = ({ requestBody }: Operation, special: Specials): fc.Arbitrary<unknown> => {
  const content = requestBody?.content["application/json"] ?? requestBody?.content["multipart/form-data"]
  return content ? fieldOf("(body)", content.schema, special) : fc.constant(undefined)
}

const validParts = (operation: Operation, special: Specials): fc.Arbitrary<Parts> =>
  fc.record({
    params: parametersOf(operation, "path", special) as fc.Arbitrary<Fields>,
    query: parametersOf(operation, "query", special) as fc.Arbitrary<Fields>,
    headers: requiredHeaders(operation, special),
    json: bodyOf(operation, special),
  })

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Replaces, adds or removes one field. */
const changeOne = (fields: Fields, at: number, value: unknown, kind: "replace" | "add" | "remove"): Fields => {
  const names = Object.keys(fields)
  const name = names[at % Math.max(1, names.length)]
  if (kind === "add" || name === undefined) return { ...fields, [`field${at % 7}`]: value }
  const { [name]: _, ...rest } = fields
  return kind === "remove" ? rest : { ...fields, [name]: value }
}

/** A valid request in which one field is wrong, missing or unknown. */
const nearlyValidParts = (operation: Operation, special: Specials): fc.Arbitrary<Parts> =>
  fc
    .record({
      parts: validParts(operation, special),
      part: fc.constantFrom("params", "query", "json", "headers"),
      kind: fc.constantFrom("replace", "add", "remove"),
      at: fc.nat(1000),
      value: hostileValue,
      headers: extraHeaders,
    })
    .map(({ parts, part, kind, at, value, headers }) => {
      if (part === "headers") return { ...parts, headers: { ...parts.headers, ...headers } }
      if (part === "params")
        return { ...parts, params: { ...parts.params, ...changeOne(parts.params, at, value, "replace") } }
      if (part === "query") return { ...parts, query: changeOne(parts.query, at, value, kind) }
      return { ...parts, json: isObject(parts.json) ? changeOne(parts.json, at, value, kind) : value }
    })

const toJson = (parts: Parts): Pick<ApiRequest, "headers" | "body"> =>
  parts.json === undefined
    ? { headers: parts.headers, body: null }
    : { headers: { "content-type": "application/json", ...parts.headers }, body: bytes(JSON.stringify(parts.json)) }

/** Writes the part of a resumable upload. */
const toPart = (headers: Headers, content: string): Pick<ApiRequest, "headers" | "body"> => ({
  headers: { "content-type": UPLOAD_TYPE, ...headers },
  body: bytes(content),
})

/** Writes a request as JSON, as a form if the operation takes one, or as a part of a file. */
const toRequest = (operation: Operation, parts: Parts, file: (typeof FILES)[number] | null): ApiRequest => {
  const { method, requestBody } = operation
  const address = `${fillPath(operation, parts.params)}${toQuery(parts.query)}`
  if (requestBody?.content[UPLOAD_TYPE]) return { method, path: address, ...toPart(parts.headers, file?.content ?? "") }
  const isForm = requestBody?.content["multipart/form-data"] && (file || !requestBody.content["application/json"])
  if (!isForm) return { method, path: address, ...toJson(parts) }
  const { file: _, ...fields } = isObject(parts.json) ? parts.json : {}
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}`, ...parts.headers }
  return { method, path: address, headers, body: toForm(fields, file) }
}

const HOSTILE_BODIES = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  '{"__proto__":{"admin":true}}',
  '{"a":1,"a":2}',
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
  '{"source":1e999}',
  `{"source":"${"x".repeat(5000)}"}`,
  "\ufeff{}",
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF`,
  `--${BOUNDARY}--`,
]

const hostileBody = fc.oneof(
  fc.constantFrom(...HOSTILE_BODIES).map(bytes),
  fc.uint8Array({ maxLength: 300 }),
  hostileValue.map((value) => bytes(JSON.stringify(value) ?? "")),
)

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "multipart/form-data",
  `multipart/form-data; boundary=${BOUNDARY}`,
  "application/x-www-form-urlencoded",
  UPLOAD_TYPE,
  "",
]

/** A request whose values have nothing to do with the API, except that it reaches the operation. */
const hostileRequest = (operation: Operation): fc.Arbitrary<ApiRequest> => {
  const names = operation.parameters.map(({ name }) => name)
  const query = fc.dictionary(fc.oneof(fc.constantFrom("q", "limit", ...names), hostileText), hostileText, {
    maxKeys: 4,
  })
  const params = fc.record(Object.fromEntries([...names, "path"].map((name) => [name, hostileText])))
  return fc
    .record({ params, query, headers: extraHeaders, body: hostileBody, type: fc.constantFrom(...CONTENT_TYPES) })
    .map(({ params, query, headers, body, type }) => ({
      method: operation.method,
      path: `${fillPath(operation, params)}${toQuery(query)}`,
      headers: operation.method === "GET" ? headers : { "content-type": type, ...headers },
      body: operation.method === "GET" ? null : body,
    }))
}

/** Returns valid, nearly valid and hostile requests to an operation. */
export const requestsTo = (operation: Operation, special: Specials): fc.Arbitrary<ApiRequest> => {
  const recording = FILES.find(({ name }) => name === "talk.wav")
  const file = fc.option(fc.oneof(fc.constant(recording!), fc.constantFrom(...FILES)))
  const write = (parts: fc.Arbitrary<Parts>) =>
    fc.record({ parts, file }).map((given) => toRequest(operation, given.parts, given.file))
  return fc.oneof(
    write(validParts(operation, special)),
    write(nearlyValidParts(operation, special)),
    hostileRequest(operation),
  )
}
