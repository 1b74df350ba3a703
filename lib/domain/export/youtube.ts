import { chaptersOf } from "./chapters.ts"
import { clockTime, type Exported } from "./text.ts"

/** YouTube's rules for chapters in a description: the first at 0:00, in order, none shorter than ten seconds. */
const SHORTEST_S = 10

/** A description may hold no angle brackets, and a title is one line of at most 100 characters. */
const titled = (title: string): string => [...title.replaceAll("<", "‹").replaceAll(">", "›")].slice(0, 100).join("")

/** Lines `0:00 Title` to paste under a video. */
export const toYouTube = (clip: Exported): string => {
  const lines: string[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const { start_s, title } of chaptersOf(clip)) {
    const at = lines.length === 0 ? 0 : Math.floor(start_s)
    if (at - last < SHORTEST_S || (at > 0 && clip.duration_s > 0 && clip.duration_s - at < SHORTEST_S)) continue
    last = at
    lines.push(`${clockTime(at)} ${titled(title)}`)
  }
  return `${lines.join("\n")}\n`
}
