"use client"
import { useRouter } from "next/navigation"
import { useEffect, useRef, useState } from "react"
import { client, errorMessage } from "../api/client.ts"
import { uploadRecording } from "../library/upload/resumable-upload.ts"
import { getRecordingHref } from "../search/use-library-search.ts"
import { Button, LinkButton } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Progress } from "../ui/Progress.tsx"
import { type ReceivedShare, takeShare } from "./received-share.ts"

type State =
  | { readonly kind: "reading" }
  | { readonly kind: "adding"; readonly name: string; readonly share: number }
  | { readonly kind: "empty" }
  | { readonly kind: "failed"; readonly detail: string; readonly rest: ReceivedShare }

/** Adds what another app has shared: uploads files, submits links, and opens the recording or the library. */
export const ReceiveShare = () => {
  const router = useRouter()
  const [state, setState] = useState<State>({ kind: "reading" })
  const hasStarted = useRef(false)
  const add = async ({ files, links }: ReceivedShare): Promise<void> => {
    const jobs: string[] = []
    let [restFiles, restLinks] = [[...files], [...links]]
    try {
      for (const file of files) {
        setState({ kind: "adding", name: file.name, share: 0 })
        const onProgress = (sent: number, total: number) =>
          setState({ kind: "adding", name: file.name, share: total > 0 ? sent / total : 0 })
        jobs.push(await uploadRecording(file, undefined, { signal: new AbortController().signal, onProgress }))
        restFiles = restFiles.slice(1)
      }
      for (const link of links) {
        setState({ kind: "adding", name: link, share: 1 })
        jobs.push((await client.submit({ source: link })).job_id)
        restLinks = restLinks.slice(1)
      }
      const [only] = jobs
      if (only === undefined) setState({ kind: "empty" })
      else if (jobs.length > 1) router.replace("/")
      else router.replace(getRecordingHref((await client.job(only)).session_id))
    } catch (error) {
      setState({ kind: "failed", detail: errorMessage(error), rest: { files: restFiles, links: restLinks } })
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was shared is added once
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    const read = async () => ("caches" in window ? takeShare() : { files: [], links: [] })
    read().then(add, (error: unknown) =>
      setState({ kind: "failed", detail: errorMessage(error), rest: { files: [], links: [] } }),
    )
  }, [])
  return (
    <div className="grid max-w-xl gap-4 pt-10">
      <h1 className="text-2xl font-[640]">
        {state.kind === "empty"
          ? "Nothing to add"
          : state.kind === "failed"
            ? "Couldn't add what you shared"
            : "Adding…"}
      </h1>
      {state.kind === "adding" && (
        <>
          <p role="status" className="truncate text-soft">
            <bdi>{state.name}</bdi>
          </p>
          <Progress value={state.share} label={`Upload of ${state.name}`} />
        </>
      )}
      {state.kind === "empty" && (
        <p className="text-soft">Share an audio or video file, or a link to one, from another app with Earmark.</p>
      )}
      {state.kind === "failed" && (
        <>
          <Notice>{state.detail}</Notice>
          {state.rest.files.length + state.rest.links.length > 0 && (
            <Button icon="retry" variant="primary" onClick={() => void add(state.rest)} className="justify-self-start">
              Try again
            </Button>
          )}
        </>
      )}
      {(state.kind === "empty" || state.kind === "failed") && (
        <LinkButton href="/" className="justify-self-start">
          Go to library
        </LinkButton>
      )}
    </div>
  )
}
