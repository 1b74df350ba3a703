import type { ReactNode } from "react"
import { Header } from "../../shell/Header.tsx"
import { LinkButton } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { useDark } from "../../ui/use-media.ts"

/** A page with the usual header and centered content. */
const CenteredPage = ({ children }: { children: ReactNode }) => (
  <div className="absolute inset-0 flex flex-col overflow-y-auto">
    <Header wide />
    <div id="content" className="grid flex-1 place-items-center px-6 pb-24">
      {children}
    </div>
  </div>
)

export const Loading = () => (
  <CenteredPage>
    <div role="status" className="grid justify-items-center gap-5 text-muted">
      <span className="relative grid size-14 place-items-center">
        {[0, 0.6, 1.2].map((delay) => (
          <span
            key={delay}
            style={{ animationDelay: `${delay}s` }}
            className="absolute inset-0 animate-ring rounded-full border border-accent"
          />
        ))}
        <span className="size-2.5 rounded-full bg-accent" />
      </span>
      Loading the map
    </div>
  </CenteredPage>
)

export const Empty = () => {
  const theme = useDark() ? "dark" : "light"
  return (
    <>
      <picture className="pointer-events-none absolute inset-0 opacity-60 max-md:opacity-25 [mask-image:radial-gradient(closest-side,transparent_45%,black)]">
        <img src={`/viz-assets/example-${theme}.webp`} alt="" className="size-full object-cover" />
      </picture>
      <CenteredPage>
        <div className="grid max-w-md justify-items-center gap-4 text-center">
          <h1 className="text-2xl font-[640]">The map is empty</h1>
          <p className="text-muted">
            Each topic of your recordings will be a point here. Similar topics are close together.
          </p>
          <LinkButton href="/" variant="primary" icon="plus">
            Add a recording
          </LinkButton>
        </div>
      </CenteredPage>
    </>
  )
}

export const Failed = ({ detail, onRetry }: { detail: string; onRetry: () => void }) => (
  <CenteredPage>
    <div className="w-full max-w-lg">
      <Notice title="Couldn't load the map" onRetry={onRetry}>
        {detail}
      </Notice>
    </div>
  </CenteredPage>
)
