"use client"
import { PlainHeader } from "#components/shell/PlainHeader.tsx"

export default function ErrorPage({ reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <>
      <PlainHeader />
      <main className="mx-auto grid w-full max-w-[72rem] justify-items-start gap-4 px-5 pt-20 sm:px-8">
        <h1 className="text-3xl font-[640]">Something went wrong</h1>
        <p role="alert" className="max-w-prose text-lg text-muted">
          Couldn't show this page. Your recordings are safe. Try again. If the error persists, check the service's log.
        </p>
        <button
          type="button"
          onClick={reset}
          className="h-9 rounded-full bg-accent px-4 text-sm font-[560] text-accent-ink transition hover:brightness-110"
        >
          Try again
        </button>
      </main>
    </>
  )
}
