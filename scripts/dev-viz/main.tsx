import "../../app/globals.css"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { Profiler } from "react"
import { createRoot } from "react-dom/client"
import { Explorer } from "#components/map/Explorer.tsx"
import { useMap } from "#components/map/state/store.ts"
import { installBackend } from "./backend.ts"
import { NaiveScene } from "./NaiveScene.tsx"
import { Statistics, statistics } from "./statistics.tsx"
import { syntheticMap } from "./synthetic.ts"

const params = new URLSearchParams(window.location.search)
const map = syntheticMap(Number(params.get("points") ?? 2000), Number(params.get("seed") ?? 1))
installBackend(map)
Object.assign(window, { useMap })

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

const count = () => {
  statistics.renders++
}

createRoot(document.getElementById("root")!).render(
  params.get("naive") === "1" ? (
    <NaiveScene points={map.points} />
  ) : (
    <QueryClientProvider client={queries}>
      <Profiler id="map" onRender={count}>
        <Explorer />
      </Profiler>
      {params.get("statistics") !== "0" && <Statistics />}
    </QueryClientProvider>
  ),
)
