import "../../app/globals.css"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { Profiler, StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { Explorer } from "#components/map/Explorer.tsx"
import { useMap } from "#components/map/state/store.ts"
import { PlayerHost } from "#components/shell/player/PlayerHost.tsx"
import { installBackend } from "./backend.ts"
import { overrideMedia } from "./media.ts"
import { NaiveScene } from "./NaiveScene.tsx"
import { PhoneFrame } from "./PhoneFrame.tsx"
import { readParameters } from "./parameters.ts"
import { countDraws, disableWebgl, statistics } from "./statistics.ts"
import { syntheticMap } from "./synthetic.ts"
import { Tools } from "./Tools.tsx"

const parameters = readParameters(window.location.search, import.meta.env.DEV ? "on" : "off")
overrideMedia(parameters)
countDraws()
const map = syntheticMap(parameters)
installBackend(map)
Object.assign(window, { useMap })
if (parameters.webgl === "off") disableWebgl()

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

const count = () => {
  statistics.renders++
}

const Page = () => {
  if (parameters.size === "phone") return <PhoneFrame />
  if (parameters.scene === "naive") return <NaiveScene points={map.points} />
  return (
    <QueryClientProvider client={queries}>
      <Profiler id="map" onRender={count}>
        <Explorer />
        <PlayerHost />
      </Profiler>
    </QueryClientProvider>
  )
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Page />
    {parameters.tools === "on" && <Tools parameters={parameters} />}
  </StrictMode>,
)
