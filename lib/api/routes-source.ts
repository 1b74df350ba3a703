import type { Endpoints } from "./endpoint.ts"
import { ENDPOINTS } from "./table.ts"

const endpoints: Endpoints = ENDPOINTS

/** Returns the source text of `client/routes.ts`: the facts of the table that the client needs, without schemas. */
export const clientRoutesSource = (): string => {
  const lines = Object.entries(endpoints).map(([id, { method, path, call, query, body }]) => {
    const input = body ? "body" : query ? "query" : undefined
    const fields = Object.entries({ method, path, call, input }).filter(([, value]) => value !== undefined)
    return `  ${id}: { ${fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")} },`
  })
  return `// Written by \`npm run openapi\` from the endpoint table. Do not edit.
import type { Endpoint } from "../endpoint.ts"
import type { EndpointId } from "../table.ts"

export type Route = Pick<Endpoint, "method" | "path" | "call"> & { readonly input?: "body" | "query" }

/** Method and path of every endpoint, without the schemas, so that pages stay free of the schema library. */
export const ROUTES: Readonly<Record<EndpointId, Route>> = {
${lines.join("\n")}
}
`
}
