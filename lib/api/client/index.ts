import { checked } from "./checked.ts"
import { makeClient } from "./make-client.ts"
import type { ClientOptions } from "./transport.ts"
import type { EarmarkClient } from "./types.ts"

export { EarmarkError } from "./errors.ts"
export type { ClientOptions } from "./transport.ts"
export type { EarmarkClient, TaggedVizData } from "./types.ts"
export type { UploadFields, UploadOptions } from "./upload.ts"

/** A typed client of the HTTP interface, for browsers and Node. It reads every answer by its contract. */
export const createClient = (options: ClientOptions = {}): EarmarkClient => makeClient(options, checked)
