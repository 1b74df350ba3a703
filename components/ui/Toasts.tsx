"use client"
import { lazy, Suspense } from "react"
import { useMessages } from "./messages.ts"

/** What is said where the viewer cannot be fetched, because the service is gone: that, too, has to be read. */
const Plain = () => {
  const last = useMessages((s) => s.waiting.at(-1))
  return (
    last && (
      <p
        role="alert"
        className="fixed inset-x-4 bottom-20 z-60 mx-auto max-w-md rounded-md border border-line bg-raised px-4 py-3 text-sm shadow-float sm:bottom-4"
      >
        {last.title}
      </p>
    )
  )
}

const ToastViewer = lazy(() =>
  import("./ToastViewer.tsx").then(
    (m) => ({ default: m.ToastViewer }),
    () => ({ default: Plain }),
  ),
)

/** Shows what is said; comes with the first message. */
export const Toasts = () => {
  const asked = useMessages((s) => s.asked)
  return asked ? (
    <Suspense>
      <ToastViewer />
    </Suspense>
  ) : null
}
