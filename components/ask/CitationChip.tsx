"use client"
import Link from "next/link"
import { type PointerEvent, useId, useRef, useState } from "react"
import type { QuerySource } from "#lib/domain/documents.ts"
import { cx } from "../ui/cx.ts"
import { Icon } from "../ui/Icon.tsx"
import { describeLocation, getSourceHref, getSourceName, isFromRecording } from "./citations.ts"
import { playSource } from "./play-source.ts"

/** The card opens after this time, so that a pointer that passes opens none. */
const OPEN_DELAY_MS = 120
const CLOSE_DELAY_MS = 160
const CARD_WIDTH_PX = 320

type Cited = {
  readonly source: QuerySource
  readonly number: number
  readonly start_s?: number | undefined
  readonly speaker?: string | undefined
}

/** The cited passage, with a button that plays it. */
const PassageCard = ({ id, cited, shift }: { id: string; cited: Cited; shift: number }) => {
  const { source, start_s, speaker } = cited
  const { chunk } = source
  const isSpoken = isFromRecording(chunk)
  const from_s = start_s ?? chunk.metadata.start_s ?? 0
  return (
    <span
      id={id}
      style={{ width: `min(${CARD_WIDTH_PX}px, calc(100vw - 2rem))`, transform: `translateX(${shift}px)` }}
      className="absolute bottom-full left-0 z-30 grid gap-1.5 rounded-md border border-line bg-raised p-3 text-left text-sm font-normal whitespace-normal text-soft shadow-float"
    >
      <span className="flex min-w-0 items-center gap-1.5">
        <Icon name={isSpoken ? "wave" : "file"} size={14} className="shrink-0 text-muted" />
        <bdi className="truncate font-[600] text-ink">{getSourceName(chunk)}</bdi>
      </span>
      <span className="numeric truncate text-xs text-muted">
        {[speaker, describeLocation(chunk, start_s)].filter(Boolean).join(" · ")}
      </span>
      <bdi className="line-clamp-4 text-xs leading-relaxed">{chunk.text}</bdi>
      {isSpoken && (
        <button
          type="button"
          onClick={() => void playSource(chunk.metadata.source, from_s)}
          className="inline-flex h-8 w-fit items-center gap-1.5 rounded-full bg-accent px-3 text-xs font-[600] text-accent-ink"
        >
          <Icon name="play" size={13} className="fill-current" />
          Play from here
        </button>
      )}
    </span>
  )
}

/** The number of a source, which links to it. Pointing at it or focusing it shows the passage. */
export const CitationChip = ({ cited }: { cited: Cited }) => {
  const [shift, setShift] = useState<number | null>(null)
  const root = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const isOpen = shift !== null
  const { source, number, start_s } = cited
  const open = () => {
    // Keeps the card within the window.
    const left = root.current?.getBoundingClientRect().left ?? 0
    setShift(Math.min(0, window.innerWidth - CARD_WIDTH_PX - 16 - left))
  }
  const later = (run: () => void, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(run, ms)
  }
  const isMouse = ({ pointerType }: PointerEvent) => pointerType === "mouse"
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at the link or focusing it opens the card
    <span
      ref={root}
      className="relative inline-block"
      onPointerEnter={(event) => isMouse(event) && later(open, OPEN_DELAY_MS)}
      onPointerLeave={(event) => isMouse(event) && later(() => setShift(null), CLOSE_DELAY_MS)}
      onFocus={open}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setShift(null)}
      onKeyDown={(event) => event.key === "Escape" && setShift(null)}
    >
      <Link
        href={getSourceHref(source, start_s)}
        prefetch={false}
        aria-label={`Source ${number}: ${getSourceName(source.chunk)}`}
        {...(isOpen && { "aria-describedby": id })}
        className="numeric mx-0.5 inline-grid h-5 min-w-5 -translate-y-0.5 place-items-center rounded-full bg-accent-wash px-1 text-xs font-[620] text-accent transition hover:bg-accent hover:text-accent-ink"
      >
        {number}
      </Link>
      {isOpen && <PassageCard id={id} cited={cited} shift={shift} />}
    </span>
  )
}

/** The first line of a source in a list: what it is and how it is called. */
export const SourceName = ({ source, className }: { source: QuerySource; className?: string }) => (
  <span className={cx("flex min-w-0 items-center gap-1.5", className)}>
    <Icon name={isFromRecording(source.chunk) ? "wave" : "file"} size={14} className="shrink-0 text-muted" />
    <bdi className="truncate font-[600]">{getSourceName(source.chunk)}</bdi>
  </span>
)
