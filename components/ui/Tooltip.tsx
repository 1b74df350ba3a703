"use client"
import { Tooltip as Base } from "@base-ui/react/tooltip"
import type { ReactElement, ReactNode } from "react"

/** A hint beside what it explains; shown by pointer and by keyboard, hidden from nobody who needs it. */
export const Tooltip = ({ hint, children }: { hint: ReactNode; children: ReactElement }) => (
  <Base.Root>
    <Base.Trigger delay={350} render={children} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} className="z-60">
        <Base.Popup className="max-w-72 animate-pop rounded-sm bg-ink px-2.5 py-1.5 text-xs text-paper shadow-float">
          {hint}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
