"use client"
import { errorMessage } from "../api/client.ts"
import { useJobs } from "../api/jobs.ts"
import { SetupSuggestions } from "../installation/SetupSuggestions.tsx"
import { Button } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"

const SAMPLE_FILE = "three-subjects.flac"
const SAMPLE_TITLE = "Boats, bees and comets"

const fetchSample = async (): Promise<File> => {
  const response = await fetch(`/samples/${SAMPLE_FILE}`)
  if (!response.ok) throw new Error("The sample recording is missing from this installation.")
  return new File([await response.blob()], SAMPLE_FILE, { type: "audio/flac" })
}

/** Shown while the library is empty: offers a sample recording and suggests how to improve the setup. */
export const FirstRun = ({ onSample }: { onSample: (file: File, title: string) => void }) => {
  const sample = useExclusiveMutation({ mutationFn: fetchSample, onSuccess: (file) => onSample(file, SAMPLE_TITLE) })
  const jobs = useJobs()
  if (jobs.data?.pages.some((page) => page.jobs.length > 0)) return null
  return (
    <div className="grid gap-5 rounded-lg border border-dashed border-line-strong px-6 py-8">
      <div className="grid max-w-prose gap-1">
        <h2 className="text-lg font-[620]">No recordings yet</h2>
        <p className="text-muted">
          Try the sample that comes with Earmark: a short conversation about a boat, bees and comets. Processing takes
          about a minute.
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
