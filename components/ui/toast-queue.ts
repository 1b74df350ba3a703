import { create } from "zustand"

/** How long a toast offers to undo an action. */
export const UNDO_TIMEOUT_MS = 8000

type ToastAction = { readonly label: string; readonly run: () => void }
export type ToastMessage = { readonly title: string; readonly isError?: boolean; readonly action?: ToastAction }

type ToastQueue = { readonly waiting: readonly ToastMessage[]; readonly hasStarted: boolean }

/** Messages waiting for the toast viewer, which is loaded with the first message. */
export const useToastQueue = create<ToastQueue>(() => ({ waiting: [], hasStarted: false }))

const enqueue = (message: ToastMessage): void =>
  useToastQueue.setState(({ waiting }) => ({ waiting: [...waiting, message], hasStarted: true }))

/** Returns the waiting messages and empties the queue. */
export const takeToasts = (): readonly ToastMessage[] => {
  const { waiting } = useToastQueue.getState()
  useToastQueue.setState({ waiting: [] })
  return waiting
}

/** Shows a confirmation, announced politely by screen readers. With `undo`, the toast has an Undo button. */
export const notify = (title: string, undo?: () => void): void =>
  enqueue({ title, ...(undo && { action: { label: "Undo", run: undo } }) })

/** Shows a message with a button, such as "Open". */
export const notifyWithAction = (title: string, label: string, run: () => void): void =>
  enqueue({ title, action: { label, run } })

/** Shows an error, announced immediately by screen readers. */
export const notifyError = (title: string): void => enqueue({ title, isError: true })
