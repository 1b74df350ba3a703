"use client"
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { create } from "zustand"
import { notify, notifyError, UNDO_TIMEOUT_MS } from "../ui/toast-queue.ts"
import { errorMessage } from "./client.ts"

type DeletionOptions<T> = {
  readonly remove: (id: string, queryClient: QueryClient) => Promise<void>
  /** Called when all have been removed, or could not be. */
  readonly onEnd: (queryClient: QueryClient) => void
  /** What the toast says. */
  readonly describe: (items: readonly T[]) => string
}

/** Deletions that can still be undone. Each is carried out after a delay or when the page is closed. */
const pendingDeletions = new Set<() => void>()

const deleteAllNow = (): void => {
  for (const run of [...pendingDeletions]) run()
}
const forgetDeletion = (run: () => void): void => {
  pendingDeletions.delete(run)
  if (pendingDeletions.size === 0) window.removeEventListener("pagehide", deleteAllNow)
}

/** How many items are deleted at a time. */
const CONCURRENCY = 4

/** Creates hooks that delete items of one kind, which are hidden at once and deleted when the time to undo has passed. */
export const createUndoableDeletion = <T extends { readonly id: string }>({
  remove,
  onEnd,
  describe,
}: DeletionOptions<T>) => {
  const useHiddenState = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))
  const setHidden = (ids: readonly string[], isHidden: boolean): void =>
    useHiddenState.setState((state) => {
      const next = new Set(state.ids)
      for (const id of ids) isHidden ? next.add(id) : next.delete(id)
      return { ids: next }
    })

  /** Returns the items that are hidden because their deletion can still be undone. */
  const useHidden = (): ReadonlySet<string> => useHiddenState((s) => s.ids)

  /** Returns a function that hides items at once and deletes them after the time to undo has passed. */
  const useDelete = () => {
    const queryClient = useQueryClient()
    return useCallback(
      (items: readonly T[]) => {
        const ids = items.map(({ id }) => id)
        setHidden(ids, true)
        const removeOne = async (id: string): Promise<void> => {
          try {
            await remove(id, queryClient)
          } catch (error) {
            setHidden([id], false)
            notifyError(errorMessage(error))
          }
        }
        let isLeaving = false
        const run = async (): Promise<void> => {
          clearTimeout(timer)
          forgetDeletion(leave)
          // A page that is closed must send its requests at once.
          const waiting = [...ids]
          const removeNext = async (): Promise<void> => {
            for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await removeOne(id)
          }
          await Promise.all(Array.from({ length: isLeaving ? ids.length : CONCURRENCY }, removeNext))
          onEnd(queryClient)
        }
        const leave = () => {
          isLeaving = true
          void run()
        }
        const timer = setTimeout(run, UNDO_TIMEOUT_MS)
        pendingDeletions.add(leave)
        // A module-level listener, because the component that started the deletion is unmounted by then.
        window.addEventListener("pagehide", deleteAllNow)
        notify(describe(items), () => {
          clearTimeout(timer)
          forgetDeletion(leave)
          setHidden(ids, false)
        })
      },
      [queryClient],
    )
  }
  return { useHidden, useDelete }
}
