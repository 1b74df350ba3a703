import type { Metadata } from "next"
import { connection } from "next/server"
import { DocumentPage } from "#components/documents/DocumentPage.tsx"
import { Page } from "#components/shell/Page.tsx"
import { isSignedIn } from "../../../signed-in.ts"

export const metadata: Metadata = { title: "Document" }

type ReaderProps = { params: Promise<{ id: string }>; searchParams: Promise<{ part?: string | string[] }> }

export default async function Reader({ params, searchParams }: ReaderProps) {
  await connection()
  const [{ id }, { part }] = await Promise.all([params, searchParams])
  return (
    <Page signOut={await isSignedIn()}>
      <DocumentPage id={decodeURIComponent(id)} part={typeof part === "string" ? part : null} />
    </Page>
  )
}
