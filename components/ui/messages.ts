import { create } from "zustand"

/** How long one has to take something back. */
export const UNDO_MS = 8000

export type Message = { readonly title: string; readonly bad?: boolean; readonly undo?: () => void }

type Messages = { readonly waiting: readonly Message[]; readonly asked: boolean }

/** What is to be said and was not shown yet. */
export const useMessages = create<Messages>(() => ({ waiting: [], asked: false }))

const say = (message: Message): void =>
  useMessages.setState(({ waiting }) => ({ waiting: [...waiting, message], asked: true }))

/** Hands out what waits, once. */
export const takeMessages = (): readonly Message[] => {
  const { waiting } = useMessages.getState()
  useMessages.setState({ waiting: [] })
  return waiting
}

/** Says that something was done; announced politely. `undo` takes it back. */
export const notify = (title: string, undo?: () => void): void => say({ title, ...(undo && { undo }) })

/** Says that something went wrong, at once. */
export const complain = (title: string): void => say({ title, bad: true })
