import type { ReactNode } from "react"

/**
 * The part of the view beside the panels, with all of the view's coordinates; `left` and `right` in CSS pixels. What moves
 * under a panel cannot be seen, and would have the browser lay the panel over it anew in each frame.
 */
export const VisibleArea = ({ left, right, children }: { left: number; right: number; children: ReactNode }) => (
  <div data-uncovered className="absolute inset-y-0 overflow-hidden" style={{ left, right }}>
    <div className="absolute inset-y-0" style={{ left: -left, right: -right }}>
      {children}
    </div>
  </div>
)
