"use client"
import Link from "next/link"
import { useDeferredValue, useEffect, useMemo, useRef } from "react"
import { Button } from "../../ui/Button.tsx"
import { formatClock } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { levelName } from "../state/coloring.ts"
import { getAncestors, type MapModel } from "../state/model.ts"
import { listNearestTopics } from "../state/nearest-topics.ts"
import { NONE, select, showClip, useMap } from "../state/store.ts"
import { SidePanel } from "./SidePanel.tsx"
import { TopicButton } from "./TopicButton.tsx"
import { useCopyLink } from "./use-copy-link.ts"

const TopicPlayback = lazyWithRetry(() => import("./TopicPlayback.tsx").then((m) => m.TopicPlayback))

const Breadcrumbs = ({ model, index }: { model: MapModel; index: number }) => {
  const ancestors = getAncestors(model, index)
  if (ancestors.length === 0) return null
  return (
    <nav aria-label="Breadcrumbs" className="flex flex-wrap items-center gap-x-1 text-sm text-muted">
      {ancestors.map((i) => (
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

const SimilarTopics = ({ model, index }: { model: MapModel; index: number }) => {
  const nearest = useMemo(() => listNearestTopics(model, index), [model, index])
  if (nearest.length === 0) return <p className="text-sm text-muted">No other topics in your recordings.</p>
  return (
    <ul className="-mx-2 grid">
      {nearest.map((neighbor) => (
        <li key={neighbor}>
          <TopicButton model={model} index={neighbor} className="w-full py-1.5" />
        </li>
      ))}
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

/** The player, transcript, actions and similar topics of a topic. */
const TopicDetails = ({ model, index }: { model: MapModel; index: number }) => {
  const clip = useMap((s) => s.clip)
  const { clip_id, start_s, duration_s } = model.points[index]!
  const ownClip = model.groupings.clip.ids[index]!
  return (
    <>
      <TopicPlayback range={{ clip: clip_id, from: start_s, to: start_s + duration_s }} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => showClip(clip === ownClip ? NONE : ownClip)} aria-pressed={clip === ownClip}>
          {clip === ownClip ? "Show all recordings" : "Only this recording"}
        </Button>
        <CopyLink />
      </div>
      <section aria-labelledby="similar-topics" className="grid gap-2 border-t border-line pt-4">
        <h3 id="similar-topics" className="text-sm font-[600]">
          Similar topics
        </h3>
        <SimilarTopics model={model} index={index} />
      </section>
    </>
  )
}

/** Shows the open topic: its place in the recording at once, and then its details, so that a click does not wait for them. */
export const TopicPanel = ({ model }: { model: MapModel }) => {
  const index = useMap((s) => s.selected)
  const detailed = useDeferredValue(index, NONE)
  const heading = useRef<HTMLHeadingElement>(null)
  const point = model.points[index]
  // Moves the focus of a screen reader to the new topic.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new topic
  useEffect(() => heading.current?.focus({ preventScroll: true }), [index])
  if (!point) return null
  const end = point.start_s + point.duration_s
  return (
    <SidePanel
      label="Topic"
      header={<p className="text-xs font-[560] text-muted">{levelName(point.level)}</p>}
      closeLabel="Close"
      onClose={() => select(NONE)}
    >
      <div className="grid grid-cols-1 content-start gap-5 overflow-y-auto px-5 pb-5">
        <div className="grid gap-2">
          <Breadcrumbs model={model} index={index} />
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
        {model.points[detailed] && <TopicDetails model={model} index={detailed} />}
      </div>
    </SidePanel>
  )
}
