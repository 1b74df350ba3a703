"use client"
import { useMutation } from "@tanstack/react-query"
import { sentence, useReadiness } from "../api.ts"
import { Button } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"

const SAMPLE = "three-subjects.flac"

const fetchSample = async (): Promise<File> => {
  const response = await fetch(`/samples/${SAMPLE}`)
  if (!response.ok) throw new Error("The sample recording is missing from this installation.")
  return new File([await response.blob()], SAMPLE, { type: "audio/flac" })
}

/** The parts that are not well, each with the sentence that mends it. */
export const PartsNotice = () => {
  const { data } = useReadiness()
  const ill = Object.entries(data?.checks ?? {}).filter(([, c]) => c.state !== "ok" && c.detail)
  if (ill.length === 0) return null
  return (
    <Notice tone="plain" title={data?.status === "down" ? "A part is not running" : "It works, and could work better"}>
      <ul className="mt-1 grid gap-1">
        {ill.map(([name, c]) => (
          <li key={name}>{c.detail}</li>
        ))}
      </ul>
    </Notice>
  )
}

/** What an empty installation shows: the way to the first map in one click. */
export const FirstRun = ({ onFiles }: { onFiles: (files: File[]) => void }) => {
  const sample = useMutation({ mutationFn: fetchSample, onSuccess: (file) => onFiles([file]) })
  return (
    <div className="grid justify-items-start gap-4 rounded-lg border border-dashed border-line-strong px-6 py-8">
      <div className="grid max-w-prose gap-1">
        <h3 className="text-lg font-[620]">No recordings yet</h3>
        <p className="text-muted">
          No file at hand? A short conversation about a boat, bees and comets comes with Earmark. It takes about a
          minute to become your first map.
        </p>
      </div>
      <Button icon="wave" disabled={sample.isPending} onClick={() => sample.mutate()}>
        Try the sample recording
      </Button>
      {sample.isError && <Notice>{sentence(sample.error)}</Notice>}
    </div>
  )
}
