import * as z from "zod"

/** The parameter that names a recording. */
export const clipId = z
  .string()
  .min(1)
  .max(200)
  .describe("ID of the recording, as search_recordings and list_recordings return it")
