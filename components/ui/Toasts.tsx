"use client"
import { lazy, Suspense } from "react"
import { useMessages } from "./messages.ts"

const ToastViewer = lazy(() => import("./ToastViewer.tsx").then((m) => ({ default: m.ToastViewer })))

/** Shows what is said; comes with the first message. */
export const Toasts = () => {
  const asked = useMessages((s) => s.asked)
  return asked ? (
    <Suspense>
      <ToastViewer />
    </Suspense>
  ) : null
}
