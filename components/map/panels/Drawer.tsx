"use client"
import Link from "next/link"
import { useEffect, useRef } from "react"
import { Button, IconButton } from "../../ui/Button.tsx"
import { formatClock } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { ancestors, type MapModel, neighbours } from "../state/model.ts"
import { NONE, select, showClip, useMap } from "../state/store.ts"
import { levelName } from "./levels.ts"
import { TopicButton } from "./TopicButton.tsx"
import { useCopyLink } from "./use-copy-link.ts"

const Listen = lazyWithRetry(() => import("./AuditionButton.tsx").then((m) => m.AuditionButton))

const Above = ({ model, index }: { model: MapModel; index: number }) => {
  const above = ancestors(model, index)
  if (above.length === 0) return null
  return (
    <nav aria-label="Lies in" className="flex flex-wrap items-center gap-x-1 text-sm text-muted">
      {above.map((i) => (
        <span key={i} className="inline-flex min-w-0 items-center gap-1">
          <button type="button" onClick={() => select(i)} className="max-w-60 truncate rounded-sm hover:text-accent">
            <bdi>{model.points[i]!.topic_title}</bdi>
          </button>
          <Icon name="right" size={14} className="shrink-0" />
        </span>
      ))}
    </nav>
  )
}

const Near = ({ model, index }: { model: MapModel; index: number }) => {
  const near = neighbours(model, index)
  if (near.length === 0)
    return <p className="text-sm text-muted">No other topic of your recordings comes close to this one.</p>
  return (
    <ul className="-mx-2 grid">
      {near.map(({ index: other, similarity }) => {
        return (
          <li key={other}>
            <TopicButton model={model} index={other} className="w-full py-1.5">
              <span className="numeric shrink-0 text-xs text-soft" title="Similarity of meaning">
                {Math.round(similarity * 100)} %
              </span>
            </TopicButton>
          </li>
        )
      })}
    </ul>
  )
}

const CopyLink = () => {
  const { copied, copy } = useCopyLink()
  return (
    <Button icon={copied ? "check" : "link"} onClick={copy} aria-live="polite">
      {copied ? "Copied" : "Copy link"}
    </Button>
  )
}

/** All about the selected topic. A panel at the side; a sheet from below on a phone. */
export const Drawer = ({ model }: { model: MapModel }) => {
  const index = useMap((s) => s.selected)
  const clip = useMap((s) => s.clip)
  const heading = useRef<HTMLHeadingElement>(null)
  const point = model.points[index]
  // A screen reader goes where the news is; the pointer's user sees it anyway.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new topic is the reason to run
  useEffect(() => heading.current?.focus({ preventScroll: true }), [index])
  if (!point) return null
  const ownClip = model.groupOf.clip[index]!
  const end = point.start_s + point.duration_s
  return (
    <aside
      aria-label="Topic"
      className="panel absolute inset-x-2 bottom-17 z-30 flex max-h-[54dvh] animate-sheet flex-col pb-[env(safe-area-inset-bottom)] md:inset-x-auto md:top-3 md:right-3 md:bottom-3 md:max-h-none md:w-92 md:animate-slide"
    >
      <div className="flex items-center justify-between py-1.5 pr-1.5 pl-5">
        <p className="text-xs font-[560] text-muted">{levelName(point.level)}</p>
        <IconButton name="close" label="Close" onClick={() => select(NONE)} />
      </div>
      <div className="grid grid-cols-1 content-start gap-5 overflow-y-auto px-5 pb-5">
        <div className="grid gap-2">
          <Above model={model} index={index} />
          <h2 ref={heading} tabIndex={-1} className="text-xl font-[640] outline-none">
            <bdi>{point.topic_title}</bdi>
          </h2>
          <p className="numeric text-sm text-muted">
            {formatClock(point.start_s)}–{formatClock(end)} of{" "}
            <Link
              href={`/library/${encodeURIComponent(point.clip_id)}?t=${Math.floor(point.start_s)}`}
              prefetch={false}
              className="underline decoration-line-strong underline-offset-3 hover:text-accent"
            >
              <bdi>{point.clip_title}</bdi>
            </Link>
          </p>
          {point.summary && <p className="mt-1 text-soft">{point.summary}</p>}
        </div>
        <Listen stretch={{ clip: point.clip_id, from: point.start_s, to: end }} />
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => showClip(clip === ownClip ? NONE : ownClip)} aria-pressed={clip === ownClip}>
            {clip === ownClip ? "Show all recordings" : "Only this recording"}
          </Button>
          <CopyLink />
        </div>
        <section aria-labelledby="near" className="grid gap-2 border-t border-line pt-4">
          <h3 id="near" className="text-sm font-[600]">
            Nearest in meaning
          </h3>
          <Near model={model} index={index} />
        </section>
      </div>
    </aside>
  )
}
