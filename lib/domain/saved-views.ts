import * as z from "zod"
import { cleanName, isoTime, removeNul, requireSomeField } from "./schemas.ts"

export const MAX_SAVED_VIEWS = 100

const name = z.string().overwrite(cleanName).min(1).max(100).describe("The name. No other view has it")
const query = z
  .string()
  .overwrite((text) => removeNul(text).replace(/^\?/, ""))
  .max(2000)
  .describe("The query string of the library page, such as `tag=interviews&sort=title`. Empty: all recordings")

export const savedView = z.object({
  id: z.string().describe("The ID of the view"),
  name,
  query,
  created_at: isoTime.describe("When the view was saved"),
})
export type SavedView = z.infer<typeof savedView>

export const savedViewRequest = z.object({ name, query: query.default("") })
export type SavedViewRequest = z.infer<typeof savedViewRequest>

export const savedViewPatch = requireSomeField(z.object({ name: name.optional(), query: query.optional() }))
export type SavedViewPatch = z.infer<typeof savedViewPatch>
