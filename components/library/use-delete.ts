"use client"
import { type InfiniteData, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useCallback } from "react"
import type { ClipList } from "#lib/domain/clips.ts"
import { client, errorMessage } from "../api/client.ts"
import { notify, notifyError, UNDO_TIMEOUT_MS } from "../ui/toast-queue.ts"
import { hideRecording, showRecording } from "./hidden.ts"

/** What is on its way out: deleted when its time to be taken back is over, or the page is left. */
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
const scheduleDeletion = (id: string, go: () => void): void => {
  pendingDeletions.set(id, go)
  // Not by the card that was clicked: it is gone by then.
  window.addEventListener("pagehide", deleteAllNow)
}

/** Deletes a recording after a while in which that can be taken back; it is out of sight at once. */
export const useDeleteRecording = () => {
  const queries = useQueryClient()
  const router = useRouter()
  return useCallback(
    ({ id, title }: { id: string; title: string }, { away = false } = {}) => {
      hideRecording(id)
      if (away) router.push("/")
      const timer = setTimeout(() => deleteNow(id), UNDO_TIMEOUT_MS)
      scheduleDeletion(id, () => {
        clearTimeout(timer)
        client.deleteClip(id).then(
          () => {
            queries.removeQueries({ queryKey: ["clip", id] })
            queries.setQueriesData<InfiniteData<ClipList>>(
              { queryKey: ["clips"] },
              (list) =>
                list && {
                  ...list,
                  pages: list.pages.map((p) => ({ ...p, clips: p.clips.filter((c) => c.id !== id) })),
                },
            )
            for (const key of [["jobs"], ["map"], ["library-search"]]) void queries.invalidateQueries({ queryKey: key })
          },
          (error) => {
            showRecording(id)
            notifyError(errorMessage(error))
          },
        )
      })
      notify(`“${title}” is deleted`, () => {
        clearTimeout(timer)
        forgetDeletion(id)
        showRecording(id)
      })
    },
    [queries, router],
  )
}
