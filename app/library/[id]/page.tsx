import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { Recording } from "#components/recording/Recording.tsx"
import { Header } from "#components/shell/Header.tsx"
import { deps } from "#lib/http/container.ts"

export const metadata: Metadata = { title: "Recording" }

type RecordingPageProps = { params: Promise<{ id: string }> }

/** One recording. Exists only where group `rag` does, as the clips themselves. */
export default async function RecordingPage({ params }: RecordingPageProps) {
  await connection()
  if (deps().groups.rag.state !== "present") notFound()
  const { id } = await params
  return (
    <div className="flex h-dvh flex-col">
      <Header wide />
      <Recording id={decodeURIComponent(id)} />
    </div>
  )
}
