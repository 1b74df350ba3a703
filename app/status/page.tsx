import type { Metadata } from "next"
import { connection } from "next/server"
import { Page } from "#components/shell/Page.tsx"
import { Status } from "#components/status/Status.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

export const metadata: Metadata = { title: "Status" }

export default async function StatusPage() {
  await connection()
  return (
    <Page signOut={getHttpDeps().config.http.token !== undefined}>
      <Status />
    </Page>
  )
}
