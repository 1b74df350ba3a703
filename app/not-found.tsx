import type { Metadata } from "next"
import { connection } from "next/server"
import { PlainHeader } from "#components/shell/PlainHeader.tsx"
import { LinkButton } from "#components/ui/Button.tsx"

export const metadata: Metadata = { title: "Page not found" }

export default async function NotFound() {
  await connection()
  return (
    <>
      <PlainHeader />
      <main className="mx-auto grid w-full max-w-[72rem] justify-items-start gap-4 px-5 pt-20 sm:px-8">
        <h1 className="text-3xl font-[640]">Page not found</h1>
        <p className="max-w-prose text-lg text-muted">
          This page doesn't exist, or this installation lacks an optional component that it needs.
        </p>
        <LinkButton href="/" variant="primary">
          Go to library
        </LinkButton>
      </main>
    </>
  )
}
