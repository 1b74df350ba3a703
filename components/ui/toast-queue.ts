import { create } from "zustand"

/** How long a toast offers to undo an action. */
export const UNDO_TIMEOUT_MS = 8000

export type ToastMessage = { readonly title: string; readonly isError?: boolean; readonly undo?: () => void }

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
export const notify = (title: string, undo?: () => void): void => enqueue({ title, ...(undo && { undo }) })

/** Shows an error, announced immediately by screen readers. */
export const notifyError = (title: string): void => enqueue({ title, isError: true })
