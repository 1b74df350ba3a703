import { useSyncExternalStore } from "react"

type StoredText = {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => string
  readonly set: (text: string) => void
  readonly initial: string
}

/**
 * Creates a text that all components share. It is kept in a storage of the browser; without storage, until the page is
 * closed.
 */
export const createStoredText = (
  key: string,
  { storage, initial = "" }: { readonly storage: () => Storage; readonly initial?: string },
): StoredText => {
  const listeners = new Set<() => void>()
  let text: string | null = null
  const read = (): string => {
    try {
      return storage().getItem(key) ?? initial
    } catch {
      return initial
    }
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get: () => {
      text ??= read()
      return text
    },
    set: (next) => {
      text = next
      try {
        storage().setItem(key, next)
      } catch {
        // Storage is disabled.
      }
      for (const listener of listeners) listener()
    },
    initial,
  }
}

/** Returns the text and a function that changes it. The first render uses the initial text, like the server's. */
export const useStoredText = ({ subscribe, get, set, initial }: StoredText) =>
  [useSyncExternalStore(subscribe, get, () => initial), set] as const
