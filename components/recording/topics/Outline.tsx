"use client"
import { useEffect, useRef, useState } from "react"
import type { StructureChange } from "#lib/domain/topics/topic-edits.ts"
import type { TopicTree } from "#lib/domain/topics/topic-tree.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { topicStyle } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import { getCurrentTime, seek, useTimeDerived } from "../player/player.ts"
import { useRecording } from "../recording-context.ts"
import { OutlineToolbar } from "./OutlineToolbar.tsx"
import { Summary } from "./Summary.tsx"
import { TopicMenu } from "./TopicMenu.tsx"
import { TopicTitleField } from "./TopicTitleField.tsx"
import { useTopicChange } from "./topic-data.ts"
import { type EditedTopic, findTopicAt, type Topic } from "./topic-list.ts"
import { renameTopic, useRenamedTopic } from "./topic-renaming.ts"

const TopicDialog = lazyWithRetry(() => import("./TopicForm.tsx").then((m) => m.TopicDialog), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})

const EditButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button
    type="button"
    aria-label={label}
    title="Edit"
    onClick={onClick}
    className="grid size-7 shrink-0 place-items-center max-sm:size-11 rounded-full text-muted opacity-0 outline-offset-[-2px] transition group-hover/line:opacity-100 hover:bg-accent-wash hover:text-ink focus-visible:opacity-100 max-lg:opacity-100"
  >
    <Icon name="edit" size={14} />
  </button>
)

type TopicRowProps = {
  topic: Topic
  topics: readonly Topic[]
  isCurrent: boolean
  onEdit: (topic: EditedTopic) => void
  onChange: (change: StructureChange) => void
}

const TopicRow = ({ topic, topics, isCurrent, onEdit, onChange }: TopicRowProps) => {
  const { node, color, level, number } = topic
  const isRenamed = useRenamedTopic((s) => s.number === number)
  if (isRenamed)
    return (
      <div className={cx("py-1 pr-2.5", level === 2 ? "pl-4" : "pl-7")}>
        <TopicTitleField topic={topic} />
      </div>
    )
  return (
    <div className="group/line flex items-start gap-0.5">
      <button
        type="button"
        onDoubleClick={() => renameTopic(number)}
        onKeyDown={(event) => event.key === "F2" && renameTopic(number)}
        data-topic={topic.number}
        aria-current={isCurrent ? "true" : undefined}
        onClick={() => seek(node.start_s)}
        style={topicStyle(color)}
        className={cx(
          "relative grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 rounded-md py-1.5 pr-2.5 text-left transition hover:bg-accent-wash aria-[current]:bg-accent-wash",
          level === 2 ? "pl-5" : "pl-8",
        )}
      >
        <span
          aria-hidden="true"
          className={cx(
            "absolute rounded-full bg-(--topic)",
            level === 2 ? "top-2 bottom-2 left-1.5 w-1" : "top-[0.9rem] left-4.5 size-1.5 opacity-70",
          )}
        />
        <bdi className={cx("min-w-0 [overflow-wrap:anywhere]", level === 2 ? "font-[600]" : "text-sm text-soft")}>
          {node.title}
        </bdi>
        <span className="numeric text-xs text-muted">{formatClock(node.start_s)}</span>
        {level === 2 && node.summary && <span className="col-span-2 text-sm text-muted">{node.summary}</span>}
        {node.edited && <span className="col-span-2 text-xs text-muted italic">edited</span>}
      </button>
      <EditButton label={`Edit topic ${node.title}`} onClick={() => onEdit(topic)} />
      <TopicMenu topic={topic} topics={topics} onChange={onChange} />
    </div>
  )
}

/** The topics of a recording. A click seeks to the topic, and the topic at the playback position is highlighted. */
export const Outline = ({ tree, topics }: { tree: TopicTree; topics: readonly Topic[] }) => {
  const { clip } = useRecording()
  const current = useTimeDerived((time) => findTopicAt(topics, time)?.number, undefined)
  const list = useRef<HTMLOListElement>(null)
  const change = useTopicChange(clip.id)
  const [editedTopic, setEditedTopic] = useState<EditedTopic | null>(null)
  const [root] = tree.topics
  useEffect(() => {
    // The outline starts at its top, and never scrolls the page.
    const box = list.current?.closest<HTMLElement>("[data-own-scroll]")
    const line = list.current?.querySelector<HTMLElement>(`[data-topic="${current}"]`)
    if (!box || !line || getCurrentTime() === 0) return
    const [view, row] = [box.getBoundingClientRect(), line.getBoundingClientRect()]
    const by = row.top < view.top ? row.top - view.top : Math.max(0, row.bottom - view.bottom)
    if (by !== 0) box.scrollBy({ top: by, behavior: prefersReducedMotion() ? "auto" : "smooth" })
  }, [current])
  if (!root)
    return (
      <p className="px-2 text-sm text-muted">
        {clip.provider === null ? "Topics aren't ready yet." : "No topics found in this recording."}
      </p>
    )
  return (
    <div className="grid grid-cols-1 gap-4 pb-6">
      <div className="group/line grid grid-cols-1 gap-1 pl-2">
        <div className="flex items-start justify-between gap-1">
          <h2 className="min-w-0 text-lg font-[620] [overflow-wrap:anywhere]">
            <bdi>{root.title}</bdi>
          </h2>
          <EditButton
            label="Edit summary of the recording"
            onClick={() => setEditedTopic({ number: "1", node: root })}
          />
        </div>
        <Summary text={root.summary} />
        {tree.notes?.map((note) => (
          <p key={note} className="text-xs text-muted">
            {note}
          </p>
        ))}
      </div>
      <OutlineToolbar />
      <ol ref={list} className="grid grid-cols-1 gap-0.5">
        {topics.map((topic) => (
          <li key={topic.number}>
            <TopicRow
              topic={topic}
              topics={topics}
              isCurrent={topic.number === current}
              onEdit={setEditedTopic}
              onChange={change.mutate}
            />
          </li>
        ))}
      </ol>
      {editedTopic && <TopicDialog topic={editedTopic} onClose={() => setEditedTopic(null)} />}
    </div>
  )
}
