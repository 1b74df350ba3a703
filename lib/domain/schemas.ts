import * as z from "zod"
import { MAX_SEARCH_CHARS } from "./constants.ts"

/** Control characters, lone surrogates and bidirectional overrides. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Returns a name on one line, without invisible characters and extra white space. */
export const cleanName = (text: string): string => text.replace(INVISIBLE, " ").replace(/\s+/g, " ").trim()

/** Removes NUL characters, which PostgreSQL cannot store. */
export const removeNul = (text: string): string => text.replaceAll("\0", "")

/** Rejects a patch in which every field is missing. */
export const requireSomeField = <T extends z.ZodObject>(patch: T) =>
  patch.refine((given) => Object.keys(given).length > 0, {
    error: `must have at least one of ${Object.keys(patch.shape).join(", ")}`,
  })

/** A time in ISO 8601, UTC. Inside the service times are Unix milliseconds. */
export const isoTime = z.iso.datetime()

/** Returns true for a plain decimal number. Number() would also accept hexadecimal, exponents and spaces. */
export const isDecimal = (text: string): boolean => /^-?(\d+(\.\d+)?|\.\d+)$/.test(text)

/** The query of a paginated list. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50).describe("The maximum number of entries"),
  cursor: z.string().min(1).max(1000).optional().describe("The `next_cursor` of the previous page"),
})

/** A date or a time. A date stands for its start in UTC. */
export const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "must be a date or time like 2026-01-31 or 2026-01-31T12:00:00Z",
})

/** Filters of a list by the time of creation. Ranges that follow each other share no entry. */
export const createdRange = z.object({
  created_after: moment.optional().describe("Only what was created at this time or later"),
  created_before: moment.optional().describe("Only what was created before this time"),
})
export type CreatedRange = z.infer<typeof createdRange>

/** The filter of a list by a text. */
export const textFilter = z.string().overwrite(removeNul).trim().max(MAX_SEARCH_CHARS).optional()

/** The cursor in a page of a list. */
export const nextCursor = z.string().optional().describe("The `cursor` of the next page. Missing on the last page")

/** The version of the HTTP API in `/openapi.json` and in the page metadata. The package has its own version. */
export const API_VERSION = "0.2.0"
