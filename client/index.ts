import type { EarmarkClient } from "../lib/api/client/client.ts"
import type { ClientOptions } from "../lib/api/client/transport.ts"
import { createUncheckedClient } from "../lib/api/client/unchecked.ts"

export { EarmarkError } from "../lib/api/client/errors.ts"
export type * from "../lib/api/client/types.ts"

/**
 * Creates a typed client of the HTTP API for browsers and Node.js. It trusts the service, which validates each response
 * before sending it.
 */
export const createClient = (options: ClientOptions = {}): EarmarkClient => createUncheckedClient(options)
