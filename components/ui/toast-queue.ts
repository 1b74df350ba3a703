import { create } from "zustand"

/** How long one has to take something back. */
export const UNDO_TIMEOUT_MS = 8000

export type ToastMessage = { readonly title: string; readonly isError?: boolean; readonly undo?: () => void }

type ToastQueue = { readonly waiting: readonly ToastMessage[]; readonly asked: boolean }

/** What is to be said and was not shown yet. */
export const useToastQueue = create<ToastQueue>(() => ({ waiting: [], asked: false }))

const enqueue = (message: ToastMessage): void =>
  useToastQueue.setState(({ waiting }) => ({ waiting: [...waiting, message], asked: true }))

/** Hands out what waits, once. */
export const takeToasts = (): readonly ToastMessage[] => {
  const { waiting } = useToastQueue.getState()
  useToastQueue.setState({ waiting: [] })
  return waiting
}

/** Says that something was done; announced politely. `undo` takes it back. */
export const notify = (title: string, undo?: () => void): void => enqueue({ title, ...(undo && { undo }) })

/** Says that something went wrong, at once. */
export const notifyError = (title: string): void => enqueue({ title, isError: true })
