"use client"
import { useState } from "react"
import type { DialogProps } from "./DialogPopup.tsx"
import { lazyWithRetry } from "./lazy-with-retry.tsx"

const DialogPopup = lazyWithRetry(() => import("./DialogPopup.tsx").then((m) => m.DialogPopup), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})

/** A modal dialog. Traps focus while open and restores it on close. Its code is loaded when the first one opens. */
export const Dialog = (dialog: DialogProps) => {
  const [wasOpened, setOpened] = useState(dialog.open)
  if (dialog.open && !wasOpened) setOpened(true)
  return wasOpened ? <DialogPopup {...dialog} /> : null
}
