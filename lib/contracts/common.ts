import { z } from "zod"

/** Every error body. */
export const problem = z.object({ detail: z.string() })
export type Problem = z.infer<typeof problem>

/** A moment as ISO 8601 in UTC; inside the service times are milliseconds since the epoch. */
export const isoTime = z.iso.datetime()

/** Newest first; `cursor` is what the page before gave as `next_cursor`. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(200).optional(),
})

/** Version of the HTTP interface, in `/openapi.json` and in the pages' metadata; the package has its own by SemVer. */
export const API_VERSION = "0.2.0"
