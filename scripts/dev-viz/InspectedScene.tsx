import { type ComponentProps, Profiler } from "react"
import { FlatScene as MapFlatScene } from "#components/map/flat/FlatScene.tsx"
import { Scene as MapScene } from "#components/map/scene/Scene.tsx"
import { Inspector } from "./Inspector.tsx"
import { inspectRenderer } from "./inspect-renderer.ts"
import { statistics } from "./statistics.ts"
import { useTunedLook } from "./tuned-look.ts"

const count = () => {
  statistics.sceneRenders++
}

/** Replaces the scene in the bundle: counts its renders, opens it to inspection, and draws it as the sliders say. */
export const Scene = (props: ComponentProps<typeof MapScene>) => {
  const look = useTunedLook((s) => s.look)
  return (
    <Profiler id="scene" onRender={count}>
      <MapScene {...props} look={look}>
        <Inspector look={look} />
      </MapScene>
    </Profiler>
  )
}

/** The same for the flat map. */
export const FlatScene = (props: ComponentProps<typeof MapFlatScene>) => {
  const look = useTunedLook((s) => s.look)
  return (
    <Profiler id="scene" onRender={count}>
      <MapFlatScene {...props} look={look} onRenderer={inspectRenderer} />
    </Profiler>
  )
}
