import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { cache } from "react"
import { preload } from "react-dom"
import { getClipAddress } from "#components/api/clip-address.ts"
import { Recording } from "#components/recording/Recording.tsx"
import { Header } from "#components/shell/Header.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

type RecordingPageProps = { params: Promise<{ id: string }> }

type Found = { readonly title: string; readonly isTranscribed: boolean }

/** Finds a recording, or the job that makes it. Null if neither exists, undefined if that is unknown. */
const findRecording = cache(async (id: string): Promise<Found | null | undefined> => {
  const { store, log } = getHttpDeps()
  if (!store) return undefined
  try {
    const title = await store.clips.getTitle(id)
    if (title !== null) return { title, isTranscribed: true }
    const { jobs } = await store.jobs.list({ clip_id: id, limit: 1 })
    return jobs[0] ? { title: jobs[0].title, isTranscribed: false } : null
  } catch (err) {
    log.error({ err }, "failed to load the title of a recording")
    return undefined
  }
})

const readId = async ({ params }: RecordingPageProps): Promise<string> => decodeURIComponent((await params).id)

/** Uses the title of the recording, so that link previews show it. */
export const generateMetadata = async (props: RecordingPageProps): Promise<Metadata> => {
  await connection()
  const title = (await findRecording(await readId(props)))?.title ?? "Recording"
  return { title, openGraph: { title } }
}

/** Exists only if group `rag` is present, like the clips themselves. */
export default async function RecordingPage(props: RecordingPageProps) {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  const id = await readId(props)
  const found = await findRecording(id)
  if (found === null) notFound()
  // The browser requests the recording while it loads the scripts.
  if (found?.isTranscribed) preload(getClipAddress(id), { as: "fetch", crossOrigin: "anonymous" })
  return (
    <>
      <Header wide />
      <Recording id={id} />
    </>
  )
}
