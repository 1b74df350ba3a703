"use client"
import { Component, type ReactNode } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"

/** A scene that throws leaves the list, which needs no WebGL. */
export class Fence extends Component<{ children: ReactNode; onError: () => void }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override componentDidCatch() {
    this.props.onError()
  }
  override render() {
    return this.state.broken ? null : this.props.children
  }
}

export const NoScene = () => (
  <Notice title="The map cannot be drawn here">
    This browser gives the page no WebGL 2. Switch on hardware acceleration in its settings, or use another one. The
    list holds every topic of the map.
  </Notice>
)

/** The browser takes the drawing back, for instance after sleep or when another program wants the graphics card. */
export const LostScene = ({ onRetry }: { onRetry: () => void }) => (
  <Notice title="The map is no longer drawn" onRetry={onRetry}>
    The browser has taken the drawing back. The list holds every topic meanwhile.
  </Notice>
)

/** An old link, or a topic that went while it was open. */
export const Gone = ({ onClose }: { onClose: () => void }) => (
  <div
    role="status"
    className="panel absolute inset-x-2 top-17 z-20 mx-auto flex w-fit animate-rise items-center gap-2 py-1 pr-1.5 pl-4 text-sm text-soft md:top-3"
  >
    This topic is no longer on the map
    <IconButton name="close" label="Close the notice" onClick={onClose} />
  </div>
)
