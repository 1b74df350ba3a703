"use client"
import Link from "next/link"
import type { ClipEntry } from "#lib/domain/clips.ts"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { formatClock, formatCount, formatTimeAgo } from "../../ui/format.ts"
import { hueStyle } from "../../ui/hues.ts"
import { ClipMenu } from "./ClipMenu.tsx"
import { summarizeSpeakers } from "./speaker-summary.ts"
import { TopicStrip } from "./TopicStrip.tsx"

const MAX_NAMED_TOPICS = 4

/** The summary of a recording that has no topics, or the reason why it has none. */
const CardSummary = ({ clip }: { clip: ClipEntry }) => {
  const root = clip.topics.find((t) => t.level === 1)
  if (clip.provider === null) return <p className="text-sm text-muted">Transcribed. Topics aren't ready yet.</p>
  if (!root || clip.voices === 0) return <p className="text-sm text-muted">No speech found.</p>
  return (
    <div className="grid grid-cols-1 gap-0.5 text-sm">
      <p className="truncate font-[560] text-soft">
        <bdi>{root.title}</bdi>
      </p>
      {root.summary && (
        <p className="line-clamp-3 text-muted [overflow-wrap:anywhere]">
          <bdi>{root.summary}</bdi>
        </p>
      )}
    </div>
  )
}

/** A recording as a card. The whole card links to its page. */
export const ClipCard = ({ clip, onRename }: { clip: ClipEntry; onRename: () => void }) => {
  const topics = clip.topics.filter((t) => t.level === 2)
  const speakers = summarizeSpeakers(clip)
  return (
    <li data-clip={clip.id} className="[contain-intrinsic-size:auto_13rem] [content-visibility:auto]">
      <article className="group/card relative flex h-full flex-col gap-3 rounded-lg border border-line bg-surface p-4 transition-colors hover:border-line-strong">
        <div className="flex items-start gap-1">
          <h3 className="min-w-0 flex-1 font-[620]">
            <Link
              href={getRecordingHref(clip.id)}
              prefetch={false}
              className="line-clamp-2 rounded-sm [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-lg"
            >
              <bdi>{clip.title}</bdi>
            </Link>
          </h3>
          <div className="relative z-10 -mt-1 -mr-2">
            <ClipMenu clip={clip} onRename={onRename} />
          </div>
        </div>
        {topics.length > 0 && <TopicStrip topics={clip.topics} duration_s={clip.duration_s} />}
        {topics.length > 0 ? (
          <ul className="grid grid-cols-1 gap-0.5 text-sm text-soft">
            {topics.slice(0, MAX_NAMED_TOPICS).map((topic, i) => (
              <li key={topic.number} style={hueStyle(i)} className="flex items-center gap-2">
                <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-tint" />
                <bdi className="min-w-0 truncate" title={topic.title}>
                  {topic.title}
                </bdi>
              </li>
            ))}
            {topics.length > MAX_NAMED_TOPICS && (
              <li className="pl-3.5 text-xs text-muted">
                and {formatCount(topics.length - MAX_NAMED_TOPICS, "more topic")}
              </li>
            )}
          </ul>
        ) : (
          <CardSummary clip={clip} />
        )}
        <p className="numeric mt-auto flex flex-wrap gap-x-1 pt-1 text-xs text-muted">
          <span>{formatClock(clip.duration_s)}</span>
          {speakers && (
            <span>
              · <bdi>{speakers}</bdi>
            </span>
          )}
          <span>· {formatTimeAgo(clip.created_at)}</span>
        </p>
      </article>
    </li>
  )
}
