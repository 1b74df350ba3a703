"use client"
import Link from "next/link"
import { closeDock, skip, toggleDock, usePlayer } from "../../recording/player/player.ts"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { useFrameRef } from "./picture-frame.ts"

const DockedPicture = () => (
  <div ref={useFrameRef()} data-layer="40" className="aspect-video h-10 shrink-0 rounded-sm bg-black" />
)

/** Controls the recording that plays while another page is open. */
export const Dock = () => {
  const { docked, isDockPlaying, dockSecond, picturedId } = usePlayer()
  if (!docked) return null
  const share = docked.duration_s > 0 ? Math.min(1, dockSecond / docked.duration_s) : 0
  return (
    <section
      aria-label="Now playing"
      data-mini-dock
      className="panel fixed inset-x-0 bottom-[calc(var(--tabs)+var(--page-dock))] z-30 mx-auto flex h-16 items-center gap-1 overflow-hidden px-2 max-sm:rounded-none max-sm:border-x-0 max-sm:border-b-0 sm:bottom-4 sm:w-[min(36rem,calc(100vw-2rem))] sm:px-3"
    >
      {docked.id === picturedId && <DockedPicture />}
      <Link
        href={getRecordingHref(docked.id)}
        className="grid min-h-11 min-w-0 flex-1 content-center rounded-sm px-1.5 hover:text-accent"
      >
        <span className="truncate text-sm font-[600]">
          <bdi>{docked.title}</bdi>
        </span>
        <span className="numeric text-xs text-muted">
          {formatClock(dockSecond)} / {formatClock(docked.duration_s)}
        </span>
      </Link>
      <button
        type="button"
        aria-label="Back 10 seconds"
        onClick={() => skip(-10)}
        className="grid size-11 shrink-0 place-items-center rounded-full text-soft transition hover:bg-accent-wash"
      >
        <Icon name="retry" size={17} className="-scale-x-100" />
      </button>
      <button
        type="button"
        aria-label={isDockPlaying ? "Pause" : "Play"}
        onClick={toggleDock}
        className="grid size-11 shrink-0 place-items-center rounded-full bg-accent text-accent-ink transition hover:brightness-110"
      >
        <Icon name={isDockPlaying ? "pause" : "play"} size={20} className={cx(!isDockPlaying && "fill-current")} />
      </button>
      <IconButton name="close" label="Stop and close" onClick={closeDock} className="size-11" />
      <span
        aria-hidden="true"
        style={{ transform: `scaleX(${share})` }}
        className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-accent"
      />
    </section>
  )
}
