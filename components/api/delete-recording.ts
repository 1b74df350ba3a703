"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useCallback } from "react"
import { create } from "zustand"
import { notify, notifyError, UNDO_TIMEOUT_MS } from "../ui/toast-queue.ts"
import { client, errorMessage } from "./client.ts"
import { changeListedClips } from "./clips.ts"
import { invalidateJobs, invalidateLibrary, queryKeys } from "./query-keys.ts"

/** Recordings that are hidden because their deletion can still be undone. */
const useHiddenState = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

export const useHiddenRecordings = (): ReadonlySet<string> => useHiddenState((s) => s.ids)

const setHidden = (ids: readonly string[], isHidden: boolean): void =>
  useHiddenState.setState((state) => {
    const next = new Set(state.ids)
    for (const id of ids) isHidden ? next.add(id) : next.delete(id)
    return { ids: next }
  })

/** Deletions that can still be undone. Each is carried out after a delay or when the page is closed. */
const pendingDeletions = new Set<() => void>()

const deleteAllNow = (): void => {
  for (const run of [...pendingDeletions]) run()
}
const forgetDeletion = (run: () => void): void => {
  pendingDeletions.delete(run)
  if (pendingDeletions.size === 0) window.removeEventListener("pagehide", deleteAllNow)
}

type Deleted = { readonly id: string; readonly title: string }

/** How many recordings are deleted at a time. */
const CONCURRENCY = 4

/** Returns a function that hides recordings immediately and deletes them after the time to undo has passed. */
export const useDeleteRecordings = () => {
  const queryClient = useQueryClient()
  return useCallback(
    (recordings: readonly Deleted[]) => {
      const ids = recordings.map(({ id }) => id)
      setHidden(ids, true)
      const remove = async (id: string): Promise<void> => {
        try {
          await client.deleteClip(id)
          queryClient.removeQueries({ queryKey: queryKeys.clip(id) })
          changeListedClips(queryClient, (clip) => (clip.id === id ? null : clip))
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
          for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await remove(id)
        }
        await Promise.all(Array.from({ length: isLeaving ? ids.length : CONCURRENCY }, removeNext))
        void invalidateJobs(queryClient)
        void invalidateLibrary(queryClient)
      }
      const leave = () => {
        isLeaving = true
        void run()
      }
      const timer = setTimeout(run, UNDO_TIMEOUT_MS)
      pendingDeletions.add(leave)
      // A module-level listener, because the component that started the deletion is unmounted by then.
      window.addEventListener("pagehide", deleteAllNow)
      notify(
        recordings.length === 1 ? `Deleted “${recordings[0]!.title}”` : `Deleted ${recordings.length} recordings`,
        () => {
          clearTimeout(timer)
          forgetDeletion(leave)
          setHidden(ids, false)
        },
      )
    },
    [queryClient],
  )
}

/** Returns a function that deletes one recording in the same way. */
export const useDeleteRecording = () => {
  const remove = useDeleteRecordings()
  const router = useRouter()
  return useCallback(
    (recording: Deleted, { leavePage = false } = {}) => {
      remove([recording])
      if (leavePage) router.push("/")
    },
    [remove, router],
  )
}
