import type { TopicNode, TopicTree as Tree } from "#lib/contracts/topics.ts"
import { cx } from "../ui/cx.ts"
import { clock } from "../ui/format.ts"

/** Tints of the ribbon's spans: neighbours differ, and the whole stays calm. */
const TINTS = ["opacity-90", "opacity-55", "opacity-75", "opacity-40"] as const

/** A recording as a line of time, its topics as spans on it. */
const Ribbon = ({ root }: { root: TopicNode }) => (
  <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full">
    {root.children.map((topic, i) => (
      <span
        key={topic.start_s}
        title={`${topic.title} · ${clock(topic.start_s)}`}
        style={{ flexGrow: Math.max(0.01, topic.end_s - topic.start_s) }}
        className={cx("basis-0 bg-accent", TINTS[i % TINTS.length])}
      />
    ))}
  </div>
)

const Time = ({ node }: { node: TopicNode }) => (
  <span className="numeric shrink-0 text-xs text-muted">
    <time dateTime={`PT${Math.round(node.start_s)}S`}>{clock(node.start_s)}</time>
    <span className="max-sm:hidden">–{clock(node.end_s)}</span>
  </span>
)

const Subtopics = ({ nodes }: { nodes: readonly TopicNode[] }) => (
  <ul className="mt-2 grid gap-1.5 border-l border-line pl-4">
    {nodes.map((node) => (
      <li key={node.start_s} className="flex items-baseline justify-between gap-4">
        <bdi className="text-sm text-soft">{node.title}</bdi>
        <Time node={node} />
      </li>
    ))}
  </ul>
)

/** What a recording is about: its summary, its topics with their times, their parts below them. */
export const TopicTree = ({ tree }: { tree: Tree }) => {
  const [root] = tree.topics
  if (!root) return <p className="text-sm text-muted">Nothing was said in this recording that makes a topic.</p>
  return (
    <div className="grid animate-rise gap-5">
      <div className="grid max-w-prose gap-1.5">
        <h4 className="text-lg font-[620]">
          <bdi>{root.title}</bdi>
        </h4>
        <p className="text-soft">{root.summary}</p>
      </div>
      {root.children.length > 0 && <Ribbon root={root} />}
      <ol className="grid gap-4">
        {root.children.map((topic, i) => (
          <li key={topic.start_s} className="grid grid-cols-[1.5rem_1fr] gap-x-2">
            <span className="numeric pt-px text-sm text-muted">{i + 1}</span>
            <div>
              <div className="flex items-baseline justify-between gap-4">
                <h5 className="font-[600]">
                  <bdi>{topic.title}</bdi>
                </h5>
                <Time node={topic} />
              </div>
              {topic.summary && <p className="max-w-prose text-sm text-muted">{topic.summary}</p>}
              {topic.children.length > 0 && <Subtopics nodes={topic.children} />}
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
