import { type Exported, oneLine } from "./text.ts"

/** Seconds. */
export type Chapter = { readonly start_s: number; readonly end_s: number; readonly title: string }

/** The first-level topics as chapters in order of time; one for the whole where there are none. */
export const chaptersOf = (clip: Exported): Chapter[] => {
  const [root] = clip.tree.topics
  const nodes = root ? (root.children.length > 0 ? root.children : [root]) : []
  const chapters = nodes.map(({ title, start_s, end_s }) => ({
    title: oneLine(title) || "Untitled",
    start_s: Math.max(0, start_s),
    end_s,
  }))
  if (chapters.length === 0) return [{ title: oneLine(clip.title) || "Untitled", start_s: 0, end_s: clip.duration_s }]
  return chapters.sort((a, b) => a.start_s - b.start_s)
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Podcasting 2.0 JSON chapters 1.2 (podcastindex.org, jsonChapters.md). Times in seconds. */
export const toChapters = (clip: Exported): string => {
  const chapters = chaptersOf(clip).map(({ start_s, end_s, title }) => ({
    startTime: rounded(start_s),
    ...(end_s > start_s && { endTime: rounded(end_s) }),
    title,
  }))
  return `${JSON.stringify({ version: "1.2.0", title: oneLine(clip.title), chapters }, null, 2)}\n`
}
