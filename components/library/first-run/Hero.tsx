"use client"
import { useRouter } from "next/navigation"
import { errorMessage } from "../../api/client.ts"
import { Button } from "../../ui/Button.tsx"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { useExclusiveMutation } from "../../ui/use-exclusive-mutation.ts"

const SampleMap = lazyWithRetry(() => import("./SampleMap.tsx").then((m) => m.SampleMap))

const focusIn = (selector: string) => {
  const element = document.querySelector<HTMLElement>(selector)
  element?.scrollIntoView({ block: "center" })
  element?.focus({ preventScroll: true })
}

/** What an empty library begins with: what Earmark does, shown on a map of the sample recording, and the ways to start. */
export const Hero = () => {
  const router = useRouter()
  const explore = useExclusiveMutation({
    mutationFn: async (start_s: number) => {
      const { addSample } = await import("./sample.ts")
      const id = await addSample()
      return start_s > 0 ? `/library/${id}?t=${Math.floor(start_s)}` : `/library/${id}`
    },
    onSuccess: (href) => router.push(href),
  })
  const isOpening = explore.isPending || explore.isSuccess
  const open = (start_s: number) => {
    if (!isOpening) explore.mutate(start_s)
  }
  return (
    <div className="mb-8 grid grid-cols-1 items-center gap-x-10 gap-y-6 pt-2 sm:mb-10 sm:pt-4 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <div className="grid gap-4">
        <h1 className="text-3xl font-[640]">Turn recordings into a map of topics</h1>
        <p className="max-w-xl text-lg text-muted">
          Earmark transcribes recordings, finds their topics, and places each topic near related topics from your other
          recordings.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" icon="play" className="h-11" disabled={isOpening} onClick={() => open(0)}>
            {isOpening ? "Opening the sample…" : "Explore the sample"}
          </Button>
          <Button icon="plus" className="h-11" onClick={() => focusIn("#add button")}>
            Add a recording
          </Button>
          <Button icon="link" className="h-11" onClick={() => focusIn("#add textarea")}>
            Paste a link
          </Button>
        </div>
        {explore.isError && <Notice>{errorMessage(explore.error)}</Notice>}
      </div>
      <div className="aspect-[4/3]">
        <SampleMap onOpen={({ start_s }) => open(start_s)} />
      </div>
    </div>
  )
}
