import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { Recording } from "#components/recording/Recording.tsx"
import { Header } from "#components/shell/Header.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

type RecordingPageProps = { params: Promise<{ id: string }> }

/** A link to a recording is shown by its title, wherever it is pasted. */
export const generateMetadata = async ({ params }: RecordingPageProps): Promise<Metadata> => {
  await connection()
  const { id } = await params
  const asked = getHttpDeps().store?.clips.getTitle(decodeURIComponent(id))
  const title =
    (await asked?.catch((err: unknown) => {
      getHttpDeps().log.error({ err }, "a page could not look up its title")
      return null
    })) ?? "Recording"
  return { title, openGraph: { title } }
}

/** One recording. Exists only where group `rag` does, as the clips themselves. */
export default async function RecordingPage({ params }: RecordingPageProps) {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  const { id } = await params
  return (
    <div className="flex h-dvh flex-col">
      <Header wide />
      <Recording id={decodeURIComponent(id)} />
    </div>
  )
}
