import { type ComponentProps, Profiler } from "react"
import { Scene as MapScene } from "#components/map/scene/Scene.tsx"
import { statistics } from "./statistics.tsx"

const count = () => {
  statistics.sceneRenders++
}

/** Replaces the scene in the bundle and counts its renders. */
export const Scene = (props: ComponentProps<typeof MapScene>) => (
  <Profiler id="scene" onRender={count}>
    <MapScene {...props} />
  </Profiler>
)
