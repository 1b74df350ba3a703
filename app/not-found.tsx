import type { Metadata } from "next"
import { connection } from "next/server"
import { NotFound } from "#components/shell/NotFound.tsx"
import { PlainHeader } from "#components/shell/PlainHeader.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

export const metadata: Metadata = { title: "Page not found" }

const MAX_RECENT = 5

/** Lists the newest recordings; none if the database is unavailable or missing. */
const listRecent = async () => {
  try {
    return (await getHttpDeps().store?.clips.list({ limit: MAX_RECENT }))?.clips ?? []
  } catch {
    return []
  }
}

export default async function NotFoundPage() {
  await connection()
  return (
    <>
      <PlainHeader />
      <main className="mx-auto w-full max-w-[72rem] px-5 pb-24 sm:px-8">
        <NotFound title="Page not found" recent={(await listRecent()).map(({ id, title }) => ({ id, title }))}>
          This page doesn't exist, or this installation lacks an optional component that it needs.
        </NotFound>
      </main>
    </>
  )
}
