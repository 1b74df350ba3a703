import type { Metadata } from "next"
import { connection } from "next/server"
import { Page } from "#components/shell/Page.tsx"
import { Status } from "#components/status/Status.tsx"
import { deps } from "#lib/http/container.ts"

export const metadata: Metadata = { title: "Status" }

export default async function StatusPage() {
  await connection()
  return (
    <Page signOut={deps().config.http.token !== undefined}>
      <Status />
    </Page>
  )
}
