"use client"
import { useQuery } from "@tanstack/react-query"
import type { TopicPreview } from "#lib/api/topics.ts"
import type { StripTopic } from "#lib/domain/clips.ts"
import type { TopicDetail } from "#lib/domain/jobs/jobs.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { TopicStrip } from "../../library/list/TopicStrip.tsx"
import { formatClock, formatCount } from "../../ui/format.ts"
import { regionColor, topicStyle } from "../../ui/hues.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { useRecording } from "../recording-context.ts"

type Topics = TopicPreview["topics"]

/** Converts previewed topics to a strip. They are not on the map, so that their colors show only where each begins. */
const toStrip = (topics: Topics): StripTopic[] =>
  topics.map(({ title, start_s, end_s }) => ({ title, start_s, duration_s: end_s - start_s, region: null }))

const describeTopics = (topics: Topics): string => {
  const parts = topics.reduce((sum, topic) => sum + topic.children.length, 0)
  return [formatCount(topics.length, "topic"), ...(parts > 0 ? [formatCount(parts, "subtopic")] : [])].join(", ")
}

const PreviewedTopics = ({ topics }: { topics: Topics }) => {
  const { clip } = useRecording()
  if (topics.length === 0) return <p className="text-sm text-muted">The builtin engine finds one topic only.</p>
  return (
    <>
      <TopicStrip strip={toStrip(topics)} duration_s={clip.duration_s} />
      {/* A list that scrolls must be reachable with the keyboard. */}
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the arrow keys
        tabIndex={0}
        aria-label="Topics of the preview"
        className="grid max-h-40 gap-x-4 overflow-y-auto overscroll-contain text-sm sm:grid-cols-2"
      >
        {topics.map((topic, i) => (
          <li
            key={topic.start_s}
            style={topicStyle(regionColor(i))}
            className="flex min-w-0 items-baseline gap-2 py-0.5"
          >
            <span aria-hidden="true" className="size-1.5 shrink-0 self-center rounded-full bg-(--topic)" />
            <bdi className="min-w-0 flex-1 truncate">{topic.title}</bdi>
            <span className="numeric shrink-0 pr-1 text-xs text-muted">{formatClock(topic.start_s)}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

type TopicDetailFieldProps = {
  value: TopicDetail
  onChange: (value: TopicDetail) => void
  /** True if a language model will find the topics, which the preview cannot show. */
  usesModel: boolean
}

/** Chooses how finely a recording is divided, and shows at once what the builtin engine makes of the choice. */
export const TopicDetailField = ({ value, onChange, usesModel }: TopicDetailFieldProps) => {
  const { clip } = useRecording()
  const preview = useQuery({
    queryKey: queryKeys.topicPreview(clip.id, value),
    queryFn: ({ signal }) => client.previewTopics(clip.id, { topic_detail: value }, { signal }),
    placeholderData: (previous) => previous,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const { data, isPlaceholderData } = preview
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p className="text-sm font-[560]">Number of topics</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Segmented
          label="Number of topics"
          value={value}
          onChange={onChange}
          options={[
            { value: "fewer", label: "Fewer" },
            { value: "normal", label: "Normal" },
            { value: "more", label: "More" },
          ]}
        />
        <span role="status" className="text-sm text-muted">
          {preview.isError ? "" : data && !isPlaceholderData ? describeTopics(data.topics) : "Previewing…"}
        </span>
      </div>
      {preview.isError && <Notice onRetry={() => preview.refetch()}>{errorMessage(preview.error)}</Notice>}
      {data && (
        <div className={isPlaceholderData ? "opacity-50 transition-opacity" : "transition-opacity"}>
          <PreviewedTopics topics={data.topics} />
        </div>
      )}
      {usesModel && (
        <p className="text-xs text-muted">
          The preview comes from the builtin engine. A language model may divide the recording differently.
        </p>
      )}
    </div>
  )
}
