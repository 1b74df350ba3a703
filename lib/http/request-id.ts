import { newId } from "../domain/ids.ts"

export const REQUEST_ID_HEADER = "x-request-id"

/** Returns the ID that a client or proxy gave a request, or a new one if it gave none or one that is not plain. */
export const toRequestId = (given: string | readonly string[] | undefined): string =>
  typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : newId()
