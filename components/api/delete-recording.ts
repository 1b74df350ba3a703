"use client"
import { useRouter } from "next/navigation"
import { useCallback } from "react"
import { client } from "./client.ts"
import { changeListedClips } from "./clips.ts"
import { invalidateJobs, invalidateLibrary, queryKeys } from "./query-keys.ts"
import { createUndoableDeletion } from "./undoable-deletion.ts"

type Deleted = { readonly id: string; readonly title: string }

export const { useHidden: useHiddenRecordings, useDelete: useDeleteRecordings } = createUndoableDeletion<Deleted>({
  remove: async (id, queryClient) => {
    await client.deleteClip(id)
    queryClient.removeQueries({ queryKey: queryKeys.clip(id) })
    changeListedClips(queryClient, (clip) => (clip.id === id ? null : clip))
  },
  onEnd: (queryClient) => {
    void invalidateJobs(queryClient)
    void invalidateLibrary(queryClient)
  },
  describe: ([first, ...others]) =>
    others.length === 0 ? `Deleted “${first!.title}”` : `Deleted ${others.length + 1} recordings`,
})

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
