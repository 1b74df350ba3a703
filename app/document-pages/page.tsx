import type { Metadata } from "next"
import { connection } from "next/server"
import { Documents } from "#components/documents/Documents.tsx"
import { Page } from "#components/shell/Page.tsx"
import { isSignedIn } from "../signed-in.ts"

export const metadata: Metadata = { title: "Documents" }

/** The page at `/documents`. That address also has the list as JSON; see next.config.ts. */
export default async function DocumentsPage() {
  await connection()
  return (
    <Page signOut={await isSignedIn()}>
      <Documents />
    </Page>
  )
}
