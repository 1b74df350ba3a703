import { type ComponentType, lazy, Suspense } from "react"

/** In place of next/dynamic, where nothing is rendered on a server. */
export default function dynamic<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Late = lazy(async () => ({ default: await load() }))
  return (props: P) => (
    <Suspense fallback={null}>
      <Late {...props} />
    </Suspense>
  )
}
