"use client"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { useHasClip } from "../../api/clips.ts"
import { useDeleteRecording } from "../../api/delete-recording.ts"
import { Button } from "../../ui/Button.tsx"

/**
 * Deletes a recording that failed before it was transcribed: its jobs and its uploaded file. Renders nothing if an earlier
 * job of the same recording succeeded; that recording is deleted from the library instead.
 */
export const RemoveJobButton = ({ job }: { job: JobRecord }) => {
  const remove = useDeleteRecording()
  const id = job.result_session_id ?? job.session_id
  if (useHasClip(id) !== false) return null
  return (
    <Button icon="trash" onClick={() => remove({ id, title: job.title })}>
      Remove
    </Button>
  )
}
