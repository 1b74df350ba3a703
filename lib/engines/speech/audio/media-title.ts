import { text } from "node:stream/consumers"
import { z } from "zod"
import { startChild } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"
import { INPUT_LIMITS } from "./ffmpeg.ts"

const report = z.object({
  format: z.object({ tags: z.record(z.string(), z.string()).default({}) }).default({ tags: {} }),
})

/** The title that a recording carries in its tags; null where it has none, or nobody here can read them. */
export const mediaTitle = async (path: string, signal: AbortSignal): Promise<string | null> => {
  const program = await findProgram("ffprobe")
  if (program === null) return null
  const child = startChild(
    program,
    ["-v", "error", ...INPUT_LIMITS, "-show_entries", "format_tags=title", "-of", "json", `file:${path}`],
    { signal },
  )
  const [out, end] = await Promise.all([text(child.stdout), child.end])
  signal.throwIfAborted()
  if (end.code !== 0) return null
  const read = report.safeParse(JSON.parse(out))
  const title = Object.entries(read.data?.format.tags ?? {}).find(([name]) => name.toLowerCase() === "title")?.[1]
  return title?.trim() || null
}
