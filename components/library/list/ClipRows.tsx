"use client"
import Link from "next/link"
import type { MouseEvent } from "react"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock, formatTimeAgo } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { ClipMenu } from "./ClipMenu.tsx"
import type { ClipRow } from "./library-params.ts"
import { summarizeSpeakers } from "./speaker-summary.ts"
import { TagList } from "./TagList.tsx"
import { TopicStrip } from "./TopicStrip.tsx"

export type RowActions = {
  readonly isSelected: (id: string) => boolean
  readonly onSelect: (id: string, isRange: boolean) => void
  readonly onRename: (clip: ClipRow) => void
  readonly onTag: (clip: ClipRow) => void
}

type RowProps = RowActions & { clip: ClipRow }

/** The columns of the table, from the check box to the menu. */
export const COLUMNS =
  "grid grid-cols-[2.5rem_minmax(0,1fr)_3.75rem_2.75rem] items-center sm:grid-cols-[2.5rem_minmax(0,1fr)_4.5rem_6.5rem_2.75rem] md:grid-cols-[2.5rem_minmax(0,1fr)_11.25rem_4.5rem_6.5rem_2.75rem] lg:grid-cols-[2.5rem_minmax(0,1fr)_11.25rem_9rem_4.5rem_6.5rem_2.75rem]"

export const SelectBox = ({ clip, isSelected, onSelect }: Pick<RowProps, "clip" | "isSelected" | "onSelect">) => (
  <label className="relative z-10 grid size-10 cursor-pointer place-items-center max-sm:h-14">
    <input
      type="checkbox"
      checked={isSelected(clip.id)}
      aria-label={`Select ${clip.title}`}
      onClick={(event: MouseEvent) => onSelect(clip.id, event.shiftKey)}
      onChange={() => undefined}
      className="size-4 accent-(--accent)"
    />
  </label>
)

const TitleLink = ({ clip }: { clip: ClipRow }) => (
  <Link
    href={getRecordingHref(clip.id)}
    prefetch={false}
    data-row-link=""
    className="truncate rounded-sm font-[580] after:absolute after:inset-0 hover:text-accent"
  >
    <bdi>{clip.title}</bdi>
  </Link>
)

const Favorite = ({ clip }: { clip: ClipRow }) =>
  clip.favorite ? (
    <span className="shrink-0 text-accent" title="Favorite">
      <Icon name="star" size={14} className="fill-current" />
      <span className="sr-only">Favorite</span>
    </span>
  ) : null

/** What the second line of a row says: what the recording is about, or why it has no topics. */
const gistOf = ({ gist, provider, voices, strip }: ClipRow): string => {
  if (gist !== "") return gist
  if (provider === null) return "Transcribed. Topics aren't ready yet."
  return strip.length === 0 || voices === 0 ? "No speech found." : ""
}

/** A recording as a row of the table. The whole row links to its page. */
export const TableRow = ({ clip, onRename, onTag, isSelected, onSelect }: RowProps) => (
  <div
    data-clip={clip.id}
    className={cx(
      COLUMNS,
      "group/row relative h-14 border-b border-line text-sm transition-colors hover:bg-accent-wash has-[[data-row-link]:focus-visible]:bg-accent-wash",
      isSelected(clip.id) && "bg-accent-wash",
    )}
  >
    <div>
      <SelectBox {...{ clip, isSelected, onSelect }} />
    </div>
    <div className="grid min-w-0 pr-4">
      <span className="flex min-w-0 items-center gap-2">
        <TitleLink clip={clip} />
        <Favorite clip={clip} />
        <TagList tags={clip.tags} />
      </span>
      <span className="truncate text-xs text-muted">
        <bdi>{gistOf(clip)}</bdi>
      </span>
    </div>
    <div className="relative z-10 pr-6 max-md:hidden">
      <TopicStrip strip={clip.strip} duration_s={clip.duration_s} />
    </div>
    <div className="truncate pr-3 text-muted max-lg:hidden">
      <bdi>{summarizeSpeakers(clip)}</bdi>
    </div>
    <div className="numeric pr-3 text-right text-soft">{formatClock(clip.duration_s)}</div>
    <div className="truncate text-muted max-sm:hidden" suppressHydrationWarning>
      {formatTimeAgo(clip.created_at)}
    </div>
    <div className="relative z-10">
      <ClipMenu clip={clip} onRename={() => onRename(clip)} onTag={() => onTag(clip)} />
    </div>
  </div>
)

type TimelineRowProps = RowProps & {
  /** The length of the longest recording in the list, in seconds. */
  longest_s: number
}

/** A recording on the timeline: its strip is as long as the recording is, compared with the others. */
export const TimelineRow = ({ clip, longest_s, onRename, onTag, isSelected, onSelect }: TimelineRowProps) => (
  <div
    data-clip={clip.id}
    className={cx(
      "relative grid h-14 grid-cols-[2.5rem_4.5rem_minmax(0,1fr)_2.75rem] items-center text-sm transition-colors hover:bg-accent-wash",
      isSelected(clip.id) && "bg-accent-wash",
    )}
  >
    <div>
      <SelectBox {...{ clip, isSelected, onSelect }} />
    </div>
    <div className="numeric text-xs text-muted" suppressHydrationWarning>
      {new Date(clip.created_at).toLocaleDateString("en", { day: "numeric", month: "short" })}
    </div>
    <div className="grid min-w-0 gap-1 border-l border-line pl-4">
      <span className="flex min-w-0 items-center gap-2">
        <TitleLink clip={clip} />
        <Favorite clip={clip} />
        <TagList tags={clip.tags} />
        <span className="numeric ml-auto shrink-0 pl-2 text-xs text-muted">{formatClock(clip.duration_s)}</span>
      </span>
      <span className="relative z-10 block" style={{ width: `max(2.5rem, ${(100 * clip.duration_s) / longest_s}%)` }}>
        <TopicStrip strip={clip.strip} duration_s={clip.duration_s} />
      </span>
    </div>
    <div className="relative z-10">
      <ClipMenu clip={clip} onRename={() => onRename(clip)} onTag={() => onTag(clip)} />
    </div>
  </div>
)
