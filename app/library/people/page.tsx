import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { PeoplePage } from "#components/people/PeoplePage.tsx"
import { Page } from "#components/shell/Page.tsx"
import { getHttpDeps } from "#lib/http/container.ts"
import { isSignedIn } from "../../signed-in.ts"

export const metadata: Metadata = { title: "People" }

/** Exists only if group `rag` is present, like the people themselves. */
export default async function People() {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  return (
    <Page signOut={await isSignedIn()}>
      <PeoplePage />
    </Page>
  )
}
