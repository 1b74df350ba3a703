"use client"
import { lazy, Suspense } from "react"
import { Button } from "./Button.tsx"
import { takeToasts, useToastQueue } from "./toast-queue.ts"

/** Shows the last message if the toast viewer cannot be loaded, for example because the service stopped. */
const FallbackToast = () => {
  const last = useToastQueue((s) => s.waiting.at(-1))
  return (
    last && (
      <div
        role="alert"
        className="fixed inset-x-4 bottom-20 z-60 mx-auto flex max-w-md items-center gap-3 rounded-md border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-float sm:bottom-4"
      >
        <p className="flex-1">{last.title}</p>
        <Button variant="quiet" onClick={takeToasts}>
          Dismiss
        </Button>
      </div>
    )
  )
}

const ToastViewer = lazy(() =>
  import("./ToastViewer.tsx").then(
    (m) => ({ default: m.ToastViewer }),
    () => ({ default: FallbackToast }),
  ),
)

/** Shows toasts. Loads the viewer with the first message. */
export const Toasts = () => {
  const hasStarted = useToastQueue((s) => s.hasStarted)
  return hasStarted ? (
    <Suspense>
      <ToastViewer />
    </Suspense>
  ) : null
}
