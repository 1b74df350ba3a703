import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { Recording } from "#components/recording/Recording.tsx"
import { Header } from "#components/shell/Header.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

type RecordingPageProps = { params: Promise<{ id: string }> }

/** Uses the title of the recording, so that link previews show it. */
export const generateMetadata = async ({ params }: RecordingPageProps): Promise<Metadata> => {
  await connection()
  const { id } = await params
  const lookup = getHttpDeps().store?.clips.getTitle(decodeURIComponent(id))
  const title =
    (await lookup?.catch((err: unknown) => {
      getHttpDeps().log.error({ err }, "failed to load the title of a recording")
      return null
    })) ?? "Recording"
  return { title, openGraph: { title } }
}

/** Exists only if group `rag` is present, like the clips themselves. */
export default async function RecordingPage({ params }: RecordingPageProps) {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  const { id } = await params
  return (
    <>
      <Header wide />
      <Recording id={decodeURIComponent(id)} />
    </>
  )
}
