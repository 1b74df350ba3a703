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

type Failure = { readonly name: string; readonly detail: string; readonly share: ReceivedShare }

type State =
  | { readonly kind: "reading" }
  | { readonly kind: "adding"; readonly name: string; readonly share: number }
  | { readonly kind: "empty" }
  | { readonly kind: "failed"; readonly failures: readonly Failure[] }

/** Adds what another app has shared: uploads files, submits links, and opens the recording or the library. */
export const ReceiveShare = () => {
  const router = useRouter()
  const [state, setState] = useState<State>({ kind: "reading" })
  const hasStarted = useRef(false)
  const add = async ({ files, links }: ReceivedShare): Promise<void> => {
    const jobs: string[] = []
    const failures: Failure[] = []
    const attempt = async (name: string, share: ReceivedShare, submit: () => Promise<string>) => {
      setState({ kind: "adding", name, share: 0 })
      try {
        jobs.push(await submit())
      } catch (error) {
        failures.push({ name, detail: errorMessage(error), share })
      }
    }
    for (const file of files) {
      const onProgress = (sent: number, total: number) =>
        setState({ kind: "adding", name: file.name, share: total > 0 ? sent / total : 0 })
      const events = { signal: new AbortController().signal, onProgress }
      await attempt(file.name, { files: [file], links: [] }, () => uploadRecording(file, undefined, events))
    }
    for (const link of links)
      await attempt(link, { files: [], links: [link] }, async () => (await client.submit({ source: link })).job_id)
    const [only] = jobs
    if (failures.length > 0) setState({ kind: "failed", failures })
    else if (only === undefined) setState({ kind: "empty" })
    else if (jobs.length > 1) router.replace("/")
    else
      client.job(only).then(
        (job) => router.replace(getRecordingHref(job.session_id)),
        () => router.replace("/"),
      )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was shared is added once
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    const read = async () => ("caches" in window ? takeShare() : { files: [], links: [] })
    read()
      .catch(() => ({ files: [], links: [] }))
      .then(add)
  }, [])
  return (
    <div className="grid max-w-xl gap-4 pt-10">
      <h1 className="text-2xl font-[640]">
        {state.kind === "empty" ? "Nothing to add" : state.kind === "failed" ? "Couldn't add everything" : "Adding…"}
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
          {state.failures.map(({ name, detail }) => (
            <Notice key={name} title={name}>
              {detail}
            </Notice>
          ))}
          <Button
            icon="retry"
            variant="primary"
            onClick={() =>
              void add({
                files: state.failures.flatMap(({ share }) => share.files),
                links: state.failures.flatMap(({ share }) => share.links),
              })
            }
            className="justify-self-start"
          >
            Try again
          </Button>
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
