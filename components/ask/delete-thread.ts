"use client"
import { useQueryClient } from "@tanstack/react-query"
import { create } from "zustand"
import type { Thread } from "#lib/domain/threads.ts"
import { client, errorMessage } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { notify, notifyError, UNDO_TIMEOUT_MS } from "../ui/toast-queue.ts"
import { openThread, startNewConversation, useConversation } from "./conversation.ts"

/** Threads that are hidden because their deletion can still be undone. */
const useHiddenState = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

export const useHiddenThreads = (): ReadonlySet<string> => useHiddenState((s) => s.ids)

const setHidden = (id: string, isHidden: boolean): void =>
  useHiddenState.setState(({ ids }) => {
    const next = new Set(ids)
    if (isHidden) next.add(id)
    else next.delete(id)
    return { ids: next }
  })

/** Returns a function that hides a thread at once and deletes it after the time to undo, or when the page is closed. */
export const useDeleteThread = () => {
  const queryClient = useQueryClient()
  return ({ id, title }: Pick<Thread, "id" | "title">): void => {
    const wasOpen = useConversation.getState().thread?.id === id
    if (wasOpen) startNewConversation()
    setHidden(id, true)
    const stopWaiting = () => {
      clearTimeout(timer)
      window.removeEventListener("pagehide", remove)
    }
    const remove = async () => {
      stopWaiting()
      try {
        await client.deleteThread(id)
        await queryClient.invalidateQueries({ queryKey: queryKeys.threads })
      } catch (error) {
        setHidden(id, false)
        notifyError(errorMessage(error))
      }
    }
    const timer = setTimeout(() => void remove(), UNDO_TIMEOUT_MS)
    window.addEventListener("pagehide", remove)
    notify(`Deleted “${title}”`, () => {
      stopWaiting()
      setHidden(id, false)
      if (wasOpen) void openThread(id)
    })
  }
}
