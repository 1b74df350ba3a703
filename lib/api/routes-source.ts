import { type Endpoints, takesIdempotencyKey } from "./endpoint.ts"
import { ENDPOINTS } from "./table.ts"

const endpoints: Endpoints = ENDPOINTS

/** The longest line that the formatter leaves as it is. */
const MAX_LINE_CHARS = 120

const formatRoute = (id: string, fields: readonly string[]): string => {
  const line = `  ${id}: { ${fields.join(", ")} },`
  if (line.length <= MAX_LINE_CHARS) return line
  return [`  ${id}: {`, ...fields.map((field) => `    ${field},`), "  },"].join("\n")
}

/** Returns the source text of `client/routes.ts`: the facts of the table that the client needs, without schemas. */
export const clientRoutesSource = (): string => {
  const lines = Object.entries(endpoints).map(([id, endpoint]) => {
    const { method, path, call, query, body } = endpoint
    const input = body ? "body" : query ? "query" : undefined
    const takesKey = takesIdempotencyKey(endpoint) || undefined
    const fields = Object.entries({ method, path, call, input, takesKey })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    return formatRoute(id, fields)
  })
  return `// Written by \`npm run openapi\` from the endpoint table. Do not edit.
import type { Endpoint } from "../endpoint.ts"
import type { EndpointId } from "../table.ts"

export type Route = Pick<Endpoint, "method" | "path" | "call"> & {
  readonly input?: "body" | "query"
  /** True if the endpoint takes an idempotency key, so that its requests can be repeated. */
  readonly takesKey?: true
}

/** Method and path of every endpoint, without the schemas, so that pages stay free of the schema library. */
export const ROUTES: Readonly<Record<EndpointId, Route>> = {
${lines.join("\n")}
}
`
}
