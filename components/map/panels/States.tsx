import type { ReactNode } from "react"
import { Header } from "../../shell/Header.tsx"
import { LinkButton } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"

/** In place of the map stands a page like the others. */
const Middle = ({ children }: { children: ReactNode }) => (
  <div className="absolute inset-0 flex flex-col overflow-y-auto">
    <Header wide />
    <div id="content" className="grid flex-1 place-items-center px-6 pb-24">
      {children}
    </div>
  </div>
)

/** While the map is read. */
export const Loading = () => (
  <Middle>
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
      Reading the map
    </div>
  </Middle>
)

/** A map without points leads to the first recording. */
export const Empty = () => (
  <>
    <picture className="pointer-events-none absolute inset-0 opacity-60 max-md:opacity-25 [mask-image:radial-gradient(closest-side,transparent_45%,black)]">
      <source srcSet="/viz-assets/example-dark.webp" media="(prefers-color-scheme: dark)" />
      <img src="/viz-assets/example-light.webp" alt="" className="size-full object-cover" />
    </picture>
    <Middle>
      <div className="grid max-w-md justify-items-center gap-4 text-center">
        <h1 className="text-2xl font-[640]">The map is still empty</h1>
        <p className="text-muted">
          Every topic of every recording becomes a point here, and what is alike in meaning lies together. It begins
          with the first recording.
        </p>
        <LinkButton href="/" variant="primary" icon="plus">
          Add the first recording
        </LinkButton>
      </div>
    </Middle>
  </>
)

/** The map could not be read. */
export const Failed = ({ detail, onRetry }: { detail: string; onRetry: () => void }) => (
  <Middle>
    <div className="w-full max-w-lg">
      <Notice title="The map did not come" onRetry={onRetry}>
        {detail}
      </Notice>
    </div>
  </Middle>
)
