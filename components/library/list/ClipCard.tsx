"use client"
import Link from "next/link"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock, formatCount, formatTimeAgo } from "../../ui/format.ts"
import { regionColor } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import { ClipMenu } from "./ClipMenu.tsx"
import { type RowActions, SelectBox } from "./ClipRows.tsx"
import type { ClipRow } from "./library-params.ts"
import { summarizeSpeakers } from "./speaker-summary.ts"
import { TagList } from "./TagList.tsx"
import { TopicStrip } from "./TopicStrip.tsx"

const MAX_NAMED_TOPICS = 4

/** The summary of a recording that has no topics, or the reason why it has none. */
const CardSummary = ({ clip }: { clip: ClipRow }) => {
  if (clip.provider === null) return <p className="text-sm text-muted">Transcribed. Topics aren't ready yet.</p>
  if (clip.gist === "" || clip.voices === 0) return <p className="text-sm text-muted">No speech found.</p>
  return (
    <p className="line-clamp-4 text-sm text-muted [overflow-wrap:anywhere]">
      <bdi>{clip.gist}</bdi>
    </p>
  )
}

/** A recording as a card. The whole card links to its page. */
export const ClipCard = ({ clip, onRename, onTag, isSelected, onSelect }: RowActions & { clip: ClipRow }) => {
  const speakers = summarizeSpeakers(clip)
  return (
    <article
      data-clip={clip.id}
      className={cx(
        "group/card relative flex h-full min-h-52 flex-col gap-3 rounded-lg border bg-surface p-4 transition-colors hover:border-line-strong",
        isSelected(clip.id) ? "border-accent" : "border-line",
      )}
    >
      <div className="flex items-start gap-1">
        <h3 className="min-w-0 flex-1 font-[620]">
          <Link
            href={getRecordingHref(clip.id)}
            prefetch={false}
            data-row-link=""
            className="line-clamp-2 rounded-sm [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-lg"
          >
            <bdi>{clip.title}</bdi>
          </Link>
        </h3>
        <div
          className={cx(
            "-mt-2 transition-opacity focus-within:opacity-100 group-hover/card:opacity-100 pointer-coarse:opacity-100",
            !isSelected(clip.id) && "opacity-0",
          )}
        >
          <SelectBox {...{ clip, isSelected, onSelect }} />
        </div>
        <div className="relative z-10 -mt-1.5 -mr-2">
          <ClipMenu clip={clip} onRename={() => onRename(clip)} onTag={() => onTag(clip)} />
        </div>
      </div>
      {clip.strip.length > 0 && (
        <div className="relative z-10">
          <TopicStrip strip={clip.strip} duration_s={clip.duration_s} />
        </div>
      )}
      {clip.strip.length > 0 ? (
        <ul className="grid grid-cols-1 gap-0.5 text-sm text-soft">
          {clip.strip.slice(0, MAX_NAMED_TOPICS).map((topic, position) => (
            <li key={topic.start_s} className="flex items-center gap-2">
              <span
                aria-hidden="true"
                style={{
                  background: regionColor(clip.strip.some(({ region }) => region !== null) ? topic.region : position),
                }}
                className="size-1.5 shrink-0 rounded-full"
              />
              <bdi className="min-w-0 truncate" title={topic.title}>
                {topic.title}
              </bdi>
            </li>
          ))}
          {clip.strip.length > MAX_NAMED_TOPICS && (
            <li className="pl-3.5 text-xs text-muted">
              and {formatCount(clip.strip.length - MAX_NAMED_TOPICS, "more topic")}
            </li>
          )}
        </ul>
      ) : (
        <CardSummary clip={clip} />
      )}
      <p className="numeric mt-auto flex flex-wrap items-center gap-x-1 pt-1 text-xs text-muted">
        {clip.favorite && (
          <span className="text-accent">
            <Icon name="star" size={13} className="fill-current" />
            <span className="sr-only">Favorite</span>
          </span>
        )}
        <span>{formatClock(clip.duration_s)}</span>
        {speakers && (
          <span>
            · <bdi>{speakers}</bdi>
          </span>
        )}
        <span suppressHydrationWarning>· {formatTimeAgo(clip.created_at)}</span>
        <span className="ml-auto">
          <TagList tags={clip.tags} />
        </span>
      </p>
    </article>
  )
}
