"use client"
import { Component, type ReactNode } from "react"
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
