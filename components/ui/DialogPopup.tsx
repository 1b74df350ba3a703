"use client"
import { Dialog as Base } from "@base-ui/react/dialog"
import { type ReactNode, useRef } from "react"
import { cx } from "./cx.ts"
import { Icon } from "./Icon.tsx"

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  /** A sentence below the title. */
  lead?: ReactNode
  children: ReactNode
  wide?: boolean
}

/** The dialog that `Dialog` loads. */
export const DialogPopup = ({ open, onClose, title, lead, children, wide }: DialogProps) => {
  const popup = useRef<HTMLDivElement>(null)
  /** Prefers the element marked `data-first`, then the first text field, then Base UI's default, the close button. */
  const getInitialFocus = () =>
    popup.current?.querySelector<HTMLElement>("[data-first]") ??
    popup.current?.querySelector<HTMLElement>("input:not([type=radio]), textarea") ??
    true
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup
          ref={popup}
          initialFocus={getInitialFocus}
          className={cx(
            "fixed inset-x-3 bottom-3 z-50 mx-auto grid max-h-[calc(100dvh-1.5rem)] animate-rise grid-rows-[auto_1fr] overflow-hidden rounded-lg border border-line bg-surface shadow-float outline-none sm:top-[12vh] sm:bottom-auto sm:max-h-[76vh]",
            wide ? "max-w-3xl" : "max-w-lg",
          )}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-[620]">{title}</Base.Title>
              {lead && <Base.Description className="text-sm text-muted">{lead}</Base.Description>}
            </div>
            <Base.Close
              aria-label="Close"
              className="-mr-2 grid size-8 place-items-center rounded-full text-muted transition hover:bg-accent-wash hover:text-ink"
            >
              <Icon name="close" size={18} />
            </Base.Close>
          </div>
          <div className="overflow-y-auto px-5 pt-1 pb-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
