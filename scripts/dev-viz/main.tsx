import "../../app/globals.css"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { Profiler } from "react"
import { createRoot } from "react-dom/client"
import { Explorer } from "#components/map/Explorer.tsx"
import { useMap } from "#components/map/state/store.ts"
import { answerFrom } from "./backend.ts"
import { NaiveScene } from "./NaiveScene.tsx"
import { Statistics, statistics } from "./statistics.tsx"
import { syntheticMap } from "./synthetic.ts"

const asked = new URLSearchParams(window.location.search)
const map = syntheticMap(Number(asked.get("points") ?? 2000), Number(asked.get("seed") ?? 1))
answerFrom(map)
Object.assign(window, { useMap })

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

const count = () => {
  statistics.renders++
}

createRoot(document.getElementById("root")!).render(
  asked.get("naive") === "1" ? (
    <NaiveScene points={map.points} />
  ) : (
    <QueryClientProvider client={queries}>
      <Profiler id="map" onRender={count}>
        <Explorer />
      </Profiler>
      {asked.get("statistics") !== "0" && <Statistics />}
    </QueryClientProvider>
  ),
)
