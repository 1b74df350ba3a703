import type { ZodType } from "zod"
import type { Endpoints } from "../endpoint.ts"
import { responseSchema } from "../field-selection.ts"
import { ENDPOINTS, type EndpointId } from "../table.ts"
import { type EarmarkClient, makeClient } from "./client.ts"
import { EarmarkError } from "./errors.ts"
import type { Checks, ClientOptions, EventOf, ResponseOf } from "./transport.ts"

export { EarmarkError } from "./errors.ts"
export type * from "./types.ts"

const endpoints: Endpoints = ENDPOINTS

const validate = (schema: ZodType | undefined, status: number, value: unknown): unknown => {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new EarmarkError(
    status,
    `The response has an unexpected format at '${issue?.path.join(".")}': ${issue?.message}. Check that client and service have the same version.`,
    { cause: parsed.error },
  )
}

const checks: Checks = {
  response: <K extends EndpointId>(id: K, status: number, body: unknown, fields: readonly string[] | undefined) =>
    validate(responseSchema(endpoints[id]!, fields), status, body) as ResponseOf<K>,
  event: <K extends EndpointId>(id: K, status: number, event: unknown) =>
    validate(endpoints[id]?.events?.schema, status, event) as EventOf<K>,
}

/** Creates a typed client of the HTTP API for browsers and Node.js. It validates every response. */
export const createClient = (options: ClientOptions = {}): EarmarkClient => makeClient(options, checks)
