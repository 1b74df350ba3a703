"use client"
import { Component, type ReactNode } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"

export const isWebgl2Supported = (): boolean => {
  try {
    const context = document.createElement("canvas").getContext("webgl2")
    context?.getExtension("WEBGL_lose_context")?.loseContext()
    return context !== null
  } catch {
    return false
  }
}

/** Removes the scene if it throws. The topic list works without it. */
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

export const WebglMissingNotice = () => (
  <Notice title="Couldn't draw the map">
    WebGL 2 isn't available in this browser. Turn on hardware acceleration in the browser settings, or use another
    browser. The list contains all topics of the map.
  </Notice>
)

/** Browsers drop WebGL contexts, for example after sleep or when another program needs the GPU. */
export const ContextLostNotice = ({ onRetry }: { onRetry: () => void }) => (
  <Notice title="The map stopped drawing" onRetry={onRetry}>
    The browser released the graphics context. Meanwhile, the list contains all topics.
  </Notice>
)

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
