import type { FlatTopic } from "#lib/domain/topics/topic-tree.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { hueStyle } from "../../ui/hues.ts"

/** Returns the index of the top-level topic that contains a topic: 2 for `1.3.2`. */
const getGroup = ({ number }: FlatTopic): number => Number(number.split(".")[1] ?? 1) - 1

const Level = ({ topics, level, duration }: { topics: readonly FlatTopic[]; level: 2 | 3; duration: number }) => (
  <div className={cx("relative", level === 2 ? "h-2" : "h-1")}>
    {topics
      .filter((t) => t.level === level)
      .map((t) => (
        <span
          key={t.number}
          title={`${formatClock(t.start_s)} ${t.title}`}
          style={{
            ...hueStyle(getGroup(t)),
            left: `${(100 * t.start_s) / duration}%`,
            width: `calc(${(100 * t.duration_s) / duration}% - 1.5px)`,
          }}
          className={cx("absolute inset-y-0 min-w-px rounded-full bg-tint", level === 3 && "opacity-50")}
        />
      ))}
  </div>
)

/** A small timeline of a recording's topics, with subtopics below. */
export const TopicStrip = ({ topics, duration_s }: { topics: readonly FlatTopic[]; duration_s: number }) => {
  const end = Math.max(duration_s, ...topics.map((t) => t.start_s + t.duration_s), 0.001)
  return (
    <div aria-hidden="true" className="grid h-4 content-start gap-0.5 pt-0.5">
      <Level topics={topics} level={2} duration={end} />
      <Level topics={topics} level={3} duration={end} />
    </div>
  )
}
