import type { Metadata } from "next"
import { connection } from "next/server"
import { PlainHeader } from "#components/shell/PlainHeader.tsx"
import { LinkButton } from "#components/ui/Button.tsx"

export const metadata: Metadata = { title: "Nothing here" }

export default async function NotFound() {
  await connection()
  return (
    <>
      <PlainHeader />
      <main className="mx-auto grid w-full max-w-[72rem] justify-items-start gap-4 px-5 pt-20 sm:px-8">
        <h1 className="text-3xl font-[640]">Nothing here</h1>
        <p className="max-w-prose text-lg text-muted">
          This address leads to no page of this installation. It may lack the part that the page needs.
        </p>
        <LinkButton href="/" variant="primary">
          To the recordings
        </LinkButton>
      </main>
    </>
  )
}
