import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { NotesPage } from "#components/notes/NotesPage.tsx"
import { Page } from "#components/shell/Page.tsx"
import { getHttpDeps } from "#lib/http/container.ts"
import { isSignedIn } from "../../signed-in.ts"

export const metadata: Metadata = { title: "Highlights and notes" }

/** Exists only if group `rag` is present, like the notes themselves. */
export default async function Notes() {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  return (
    <Page signOut={await isSignedIn()}>
      <NotesPage />
    </Page>
  )
}
