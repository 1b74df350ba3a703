"use client"
import { Toast } from "@base-ui/react/toast"
import { useEffect, useState } from "react"
import { Icon } from "./Icon.tsx"
import { type ToastMessage, takeToasts, UNDO_TIMEOUT_MS, useToastQueue } from "./toast-queue.ts"

type Manager = ReturnType<typeof Toast.createToastManager>

const add = (manager: Manager, { title, isError, action }: ToastMessage): void => {
  if (isError) return void manager.add({ title, type: "bad", priority: "high", timeout: 10_000 })
  const id = manager.add({
    title,
    timeout: action ? UNDO_TIMEOUT_MS : 4000,
    ...(action && {
      actionProps: {
        children: action.label,
        onClick: () => {
          manager.close(id)
          action.run()
        },
      },
    }),
  })
}

const List = () => {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="absolute right-0 bottom-0 left-0 z-[calc(1000-var(--toast-index))] mx-auto w-full max-w-md translate-y-[calc(var(--toast-index)*-110%)] rounded-md border border-line bg-raised shadow-float transition duration-200 data-[ending-style]:translate-y-3 data-[ending-style]:opacity-0 data-[limited]:opacity-0 data-[starting-style]:translate-y-3 data-[starting-style]:opacity-0"
    >
      <Toast.Content className="flex items-center gap-3 py-2 pr-2 pl-4 text-sm">
        {toast.type === "bad" && <Icon name="alert" size={18} className="shrink-0 text-bad" />}
        <Toast.Title className="min-w-0 flex-1 font-[500] [overflow-wrap:anywhere]" />
        <Toast.Action className="rounded-full px-3 py-1.5 font-[600] text-accent transition hover:bg-accent-wash" />
        <Toast.Close
          aria-label="Dismiss"
          // Base UI hides it from assistive technology until the pointer is over the toast, although Tab reaches it.
          aria-hidden={false}
          className="grid size-8 shrink-0 place-items-center rounded-full text-muted transition hover:bg-accent-wash hover:text-ink"
        >
          <Icon name="close" size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

/** Shows toasts at the bottom center, above the phone's navigation. F6 moves the focus to them. */
export const ToastViewer = () => {
  const [manager] = useState(() => Toast.createToastManager())
  const waiting = useToastQueue((s) => s.waiting)
  useEffect(() => {
    if (waiting.length > 0) for (const message of takeToasts()) add(manager, message)
  }, [waiting, manager])
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-[calc(var(--bottom-bars)+1.25rem)] z-60 mx-auto max-w-md">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
