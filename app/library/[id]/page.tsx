import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { cache } from "react"
import { Recording } from "#components/recording/Recording.tsx"
import { Header } from "#components/shell/Header.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

type RecordingPageProps = { params: Promise<{ id: string }> }

/** Returns the title of a recording, or of the job that makes it. Null if neither exists, undefined if that is unknown. */
const findTitle = cache(async (id: string): Promise<string | null | undefined> => {
  const { store, log } = getHttpDeps()
  if (!store) return undefined
  try {
    const title = await store.clips.getTitle(id)
    if (title !== null) return title
    const { jobs } = await store.jobs.list({ clip_id: id, limit: 1 })
    return jobs[0]?.title ?? null
  } catch (err) {
    log.error({ err }, "failed to load the title of a recording")
    return undefined
  }
})

const readId = async ({ params }: RecordingPageProps): Promise<string> => decodeURIComponent((await params).id)

/** Uses the title of the recording, so that link previews show it. */
export const generateMetadata = async (props: RecordingPageProps): Promise<Metadata> => {
  await connection()
  const title = (await findTitle(await readId(props))) ?? "Recording"
  return { title, openGraph: { title } }
}

/** Exists only if group `rag` is present, like the clips themselves. */
export default async function RecordingPage(props: RecordingPageProps) {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  const id = await readId(props)
  if ((await findTitle(id)) === null) notFound()
  return (
    <>
      <Header wide />
      <Recording id={id} />
    </>
  )
}
