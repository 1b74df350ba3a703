import type { Metadata } from "next"
import { connection } from "next/server"
import { Ask } from "#components/ask/Ask.tsx"
import { Page } from "#components/shell/Page.tsx"
import { isSignedIn } from "../signed-in.ts"

export const metadata: Metadata = { title: "Ask" }

type AskPageProps = { searchParams: Promise<{ q?: string | string[]; thread?: string | string[] }> }

export default async function AskPage({ searchParams }: AskPageProps) {
  await connection()
  const { q, thread } = await searchParams
  return (
    <Page signOut={await isSignedIn()}>
      <Ask
        first={typeof q === "string" && q.trim() ? q.trim() : null}
        threadId={typeof thread === "string" && thread !== "" ? thread : null}
      />
    </Page>
  )
}
