"use client"
import { type InfiniteData, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useCallback } from "react"
import { create } from "zustand"
import type { ClipList } from "#lib/domain/clips.ts"
import { notify, notifyError, UNDO_TIMEOUT_MS } from "../ui/toast-queue.ts"
import { client, errorMessage } from "./client.ts"
import { invalidateJobs, invalidateLibrary, queryKeys } from "./query-keys.ts"

/** Recordings that are hidden because their deletion can still be undone. */
const useHiddenState = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

export const useHiddenRecordings = (): ReadonlySet<string> => useHiddenState((s) => s.ids)

const hide = (id: string): void => useHiddenState.setState(({ ids }) => ({ ids: new Set(ids).add(id) }))
const unhide = (id: string): void =>
  useHiddenState.setState(({ ids }) => ({ ids: new Set([...ids].filter((other) => other !== id)) }))

/** Deletions that can still be undone, by recording ID. They are carried out after a delay or when the page is closed. */
const pendingDeletions = new Map<string, () => void>()

const forgetDeletion = (id: string): void => {
  pendingDeletions.delete(id)
  if (pendingDeletions.size === 0) window.removeEventListener("pagehide", deleteAllNow)
}
const deleteNow = (id: string): void => {
  pendingDeletions.get(id)?.()
  forgetDeletion(id)
}
const deleteAllNow = (): void => {
  for (const id of [...pendingDeletions.keys()]) deleteNow(id)
}
const scheduleDeletion = (id: string, run: () => void): void => {
  pendingDeletions.set(id, run)
  // A module-level listener, because the component that started the deletion is unmounted by then.
  window.addEventListener("pagehide", deleteAllNow)
}

/** Returns a function that hides a recording immediately and deletes it after the time to undo has passed. */
export const useDeleteRecording = () => {
  const queryClient = useQueryClient()
  const router = useRouter()
  return useCallback(
    ({ id, title }: { id: string; title: string }, { leavePage = false } = {}) => {
      hide(id)
      if (leavePage) router.push("/")
      const timer = setTimeout(() => deleteNow(id), UNDO_TIMEOUT_MS)
      scheduleDeletion(id, () => {
        clearTimeout(timer)
        client.deleteClip(id).then(
          () => {
            queryClient.removeQueries({ queryKey: queryKeys.clip(id) })
            queryClient.setQueryData<InfiniteData<ClipList>>(
              queryKeys.clips,
              (list) =>
                list && {
                  ...list,
                  pages: list.pages.map((page) => ({ ...page, clips: page.clips.filter((c) => c.id !== id) })),
                },
            )
            void invalidateJobs(queryClient)
            void invalidateLibrary(queryClient)
          },
          (error) => {
            unhide(id)
            notifyError(errorMessage(error))
          },
        )
      })
      notify(`Deleted “${title}”`, () => {
        clearTimeout(timer)
        forgetDeletion(id)
        unhide(id)
      })
    },
    [queryClient, router],
  )
}
