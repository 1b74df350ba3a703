import { type ComponentProps, Profiler } from "react"
import { Scene as Drawn } from "#components/map/scene/Scene.tsx"
import { statistics } from "./statistics.tsx"

const count = () => {
  statistics.sceneRenders++
}

/** In place of the scene that the map loads late: its renders are counted. */
export const Scene = (props: ComponentProps<typeof Drawn>) => (
  <Profiler id="scene" onRender={count}>
    <Drawn {...props} />
  </Profiler>
)
