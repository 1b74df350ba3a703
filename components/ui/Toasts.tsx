"use client"
import { lazy, Suspense } from "react"
import { Button } from "./Button.tsx"
import { takeToasts, useToastQueue } from "./toast-queue.ts"

/** What is said where the viewer cannot be fetched, because the service is gone: that, too, has to be read. */
const Plain = () => {
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
    () => ({ default: Plain }),
  ),
)

/** Shows what is said; comes with the first message. */
export const Toasts = () => {
  const asked = useToastQueue((s) => s.asked)
  return asked ? (
    <Suspense>
      <ToastViewer />
    </Suspense>
  ) : null
}
