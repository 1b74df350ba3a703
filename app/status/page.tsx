import type { Metadata } from "next"
import { connection } from "next/server"
import { Page } from "#components/shell/Page.tsx"
import { Status } from "#components/status/Status.tsx"
import { isSignedIn } from "../signed-in.ts"

export const metadata: Metadata = { title: "Status" }

export default async function StatusPage() {
  await connection()
  return (
    <Page signOut={await isSignedIn()}>
      <Status />
    </Page>
  )
}
