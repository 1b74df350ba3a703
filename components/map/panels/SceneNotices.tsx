"use client"
import { Component, type ReactNode, useState } from "react"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { usePersistedChoice } from "../../ui/use-persisted-choice.ts"
import type { FlatReason } from "./use-renderer-choice.ts"

/** Removes the scene if it throws. */
export class SceneErrorBoundary extends Component<
  { children: ReactNode; onError: () => void },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override componentDidCatch() {
    this.props.onError()
  }
  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

/** Shown if the browser can draw neither with WebGL nor on a 2-D canvas. */
export const NoMapNotice = () => (
  <Notice title="Couldn't draw the map">
    This browser offers neither WebGL nor a 2-D canvas. Turn them on in its settings, or use another browser. The list
    contains all topics of the map.
  </Notice>
)

const FLAT_REASONS: Readonly<Record<FlatReason, { text: string; help?: string }>> = {
  "no-webgl": {
    text: "The map is flat, because this browser has no WebGL.",
    help: "Turn on hardware acceleration in the browser settings to see it in 3-D.",
  },
  failed: { text: "The map is flat, because it couldn't be drawn in 3-D." },
  // Browsers drop WebGL contexts, for example after sleep or when another program needs the GPU.
  lost: { text: "The map is flat, because the browser released its graphics context." },
}

const NOTICE_CHOICES = ["shown", "dismissed"] as const

/** Says quietly why the map is flat. A browser without WebGL says so until it is dismissed once. */
export const FlatNotice = ({ reason, onRetry }: { reason: FlatReason; onRetry: () => void }) => {
  const [stored, store] = usePersistedChoice("earmark-flat-map", NOTICE_CHOICES, "shown")
  const [isClosed, setIsClosed] = useState(false)
  if (isClosed || (reason === "no-webgl" && stored === "dismissed")) return null
  const { text, help } = FLAT_REASONS[reason]
  const close = () => {
    setIsClosed(true)
    if (reason === "no-webgl") store("dismissed")
  }
  return (
    <div
      role="status"
      className="panel pointer-events-auto flex w-fit max-w-full animate-rise items-center gap-2 py-0.5 pr-1 pl-3 text-xs text-soft md:mr-2"
    >
      <p className="min-w-0 py-1">
        {text} {help && <span className="text-muted max-md:hidden">{help}</span>}
      </p>
      {reason !== "no-webgl" && (
        <Button variant="quiet" onClick={onRetry} className="shrink-0">
          Try again
        </Button>
      )}
      <IconButton name="close" label="Dismiss" onClick={close} />
    </div>
  )
}

/** Shown for a link to a topic that no longer exists, and when the open topic is deleted. */
export const MissingTopicNotice = ({ onClose }: { onClose: () => void }) => (
  <div
    role="status"
    className="panel absolute inset-x-2 top-17 z-20 mx-auto flex w-fit animate-rise items-center gap-2 py-1 pr-1.5 pl-4 text-sm text-soft md:top-3"
  >
    This topic is no longer on the map
    <IconButton name="close" label="Dismiss" onClick={onClose} />
  </div>
)
