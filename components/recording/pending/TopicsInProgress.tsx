"use client"
import { client, errorMessage } from "../../api/client.ts"
import { isActive, useClipJobs, useJobAction, useJobEvents } from "../../api/jobs.ts"
import { StageProgress } from "../../library/queue/StageProgress.tsx"
import { Button } from "../../ui/Button.tsx"
import { capitalize } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"

/** In place of the outline of a recording without topics: the stages that find them, or why there are none. */
export const TopicsInProgress = ({ clipId }: { clipId: string }) => {
  const jobs = useClipJobs(clipId)
  const retry = useJobAction((jobId: string) => client.retry(jobId))
  const newest = jobs.data?.jobs[0]
  const isRunning = newest !== undefined && isActive(newest)
  useJobEvents(isRunning ? newest.job_id : undefined)
  if (isRunning)
    return (
      <div className="grid gap-2 px-2">
        <h2 className="text-lg font-[620]">Finding topics</h2>
        <StageProgress job={newest} />
      </div>
    )
  return (
    <div className="grid gap-3 px-2">
      {newest?.error ? (
        <Notice title="No topics yet">
          <bdi>{capitalize(newest.error.detail)}</bdi> The transcript is kept.
        </Notice>
      ) : (
        <p className="text-sm text-muted">Topics aren't ready yet.</p>
      )}
      {retry.isError && <Notice>{errorMessage(retry.error)}</Notice>}
      {newest && newest.status !== "done" && (
        <Button
          icon="retry"
          disabled={retry.isPending}
          onClick={() => retry.mutate(newest.job_id, { onSuccess: () => void jobs.refetch() })}
          className="justify-self-start"
        >
          Find topics
        </Button>
      )}
    </div>
  )
}
