"use client"
import { errorMessage, useJobs } from "../api/client.ts"
import { SetupSuggestions } from "../status/SetupSuggestions.tsx"
import { Button } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"

const SAMPLE_FILE = "three-subjects.flac"
const SAMPLE_TITLE = "Three subjects"

const fetchSample = async (): Promise<File> => {
  const response = await fetch(`/samples/${SAMPLE_FILE}`)
  if (!response.ok) throw new Error("The sample recording is missing from this installation.")
  return new File([await response.blob()], SAMPLE_FILE, { type: "audio/flac" })
}

/** What an empty installation shows: the way to the first map in one click, and what would make it better. */
export const FirstRun = ({ onSample }: { onSample: (file: File, title: string) => void }) => {
  const sample = useExclusiveMutation({ mutationFn: fetchSample, onSuccess: (file) => onSample(file, SAMPLE_TITLE) })
  const jobs = useJobs()
  // The sample is on its way, or something else is: there is nothing to offer any more.
  if (jobs.data?.pages.some((page) => page.jobs.length > 0)) return null
  return (
    <div className="grid gap-5 rounded-lg border border-dashed border-line-strong px-6 py-8">
      <div className="grid max-w-prose gap-1">
        <h2 className="text-lg font-[620]">No recordings yet</h2>
        <p className="text-muted">
          No file at hand? A short conversation about a boat, bees and comets comes with Earmark. It takes about a
          minute to become your first map.
        </p>
      </div>
      <Button
        icon="wave"
        variant="primary"
        disabled={sample.isPending || sample.isSuccess}
        onClick={() => sample.mutate()}
        className="justify-self-start"
      >
        Try the sample recording
      </Button>
      {sample.isError && <Notice>{errorMessage(sample.error)}</Notice>}
      <SetupSuggestions open />
    </div>
  )
}
