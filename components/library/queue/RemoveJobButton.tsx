"use client"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { useClips } from "../../api/clips.ts"
import { Button } from "../../ui/Button.tsx"
import { useDeleteRecording } from "../use-delete.ts"

/**
 * Removes a recording that could not be heard: its runs, and the file if it was sent. Not where an earlier run made a
 * recording of it, which is deleted in its own place.
 */
export const RemoveJobButton = ({ job }: { job: JobRecord }) => {
  const clips = useClips()
  const remove = useDeleteRecording()
  const id = job.result_session_id ?? job.session_id
  if (!clips.isSuccess || clips.hasNextPage) return null
  if (clips.data.pages.some((page) => page.clips.some((clip) => clip.id === id))) return null
  return (
    <Button icon="trash" onClick={() => remove({ id, title: job.title })}>
      Remove
    </Button>
  )
}
