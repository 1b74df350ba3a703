import * as z from "zod"

/** Characters that show nothing or turn the text around them: controls, lone surrogates, bidirectional overrides. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** A name on one line, as people see it. */
export const plainName = (text: string): string => text.replace(UNSEEN, " ").replace(/\s+/g, " ").trim()

/** PostgreSQL keeps no character of the code 0, and nobody sees it. */
export const withoutNul = (text: string): string => text.replaceAll("\0", "")

/** Refuses a change that changes nothing: none of the fields that it may have is there. */
export const requireSomeField = <T extends z.ZodObject>(patch: T) =>
  patch.refine((given) => Object.keys(given).length > 0, {
    error: `must have at least one of ${Object.keys(patch.shape).join(", ")}`,
  })

/** A moment as ISO 8601 in UTC; inside the service times are milliseconds since the epoch. */
export const isoTime = z.iso.datetime()

/** Whether a text is a number as people write it: no hexadecimal, no exponent, no spaces, all of which Number() takes. */
export const isDecimal = (text: string): boolean => /^-?(\d+(\.\d+)?|\.\d+)$/.test(text)

/** Newest first; `cursor` is what the page before gave as `next_cursor`. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(200).optional(),
})

/** Version of the HTTP interface, in `/openapi.json` and in the pages' metadata; the package has its own by SemVer. */
export const API_VERSION = "0.2.0"
