import { type Endpoints, takesIdempotencyKey } from "./endpoint.ts"
import { ENDPOINTS } from "./table.ts"

const endpoints: Endpoints = ENDPOINTS

/** Returns the source text of `client/routes.ts`: the facts of the table that the client needs, without schemas. */
export const clientRoutesSource = (): string => {
  const lines = Object.entries(endpoints).map(([id, endpoint]) => {
    const { method, path, call, query, body } = endpoint
    const input = body ? "body" : query ? "query" : undefined
    const takesKey = takesIdempotencyKey(endpoint) || undefined
    const fields = Object.entries({ method, path, call, input, takesKey }).filter(([, value]) => value !== undefined)
    return `  ${id}: { ${fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")} },`
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
