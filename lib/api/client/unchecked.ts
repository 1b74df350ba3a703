import { type EarmarkClient, makeClient } from "./client.ts"
import type { ClientOptions } from "./transport.ts"

/**
 * Creates a client that does not validate responses. The pages use it: they come from the same build as the service,
 * which validates every response it sends, and stay free of the schema library. It does not repeat reads, because the
 * query cache of the pages does.
 */
export const createUncheckedClient = (options: ClientOptions = {}): EarmarkClient =>
  makeClient(
    options,
    {
      response: (_id, _status, body) => body as never,
      event: (_id, _status, event) => event as never,
    },
    { repeatsReads: false },
  )
