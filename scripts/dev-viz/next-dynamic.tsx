import { type ComponentType, lazy, Profiler, Suspense } from "react"
import { statistics } from "./statistics.tsx"

const count = () => {
  statistics.sceneRenders++
}

/** In place of next/dynamic, where nothing is rendered on a server. What the map loads late is its scene: its renders are counted. */
export default function dynamic<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Late = lazy(async () => ({ default: await load() }))
  return (props: P) => (
    <Suspense fallback={null}>
      <Profiler id="scene" onRender={count}>
        <Late {...props} />
      </Profiler>
    </Suspense>
  )
}
