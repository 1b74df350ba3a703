import { type EarmarkClient, makeClient } from "./client.ts"
import type { Checks, ClientOptions } from "./transport.ts"

const NO_CHECKS: Checks = {
  response: (_id, _status, body) => body as never,
  event: (_id, _status, event) => event as never,
}

/** Creates a client that does not validate responses, which the service has validated before it sent them. */
export const createUncheckedClient = (
  options: ClientOptions = {},
  behavior?: { readonly repeatsReads?: boolean },
): EarmarkClient => makeClient(options, NO_CHECKS, behavior)
