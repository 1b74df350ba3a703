"use client"
import { Icon } from "../../ui/Icon.tsx"
import { COLORINGS, type Coloring } from "../state/coloring.ts"
import { setColoring, useMap } from "../state/store.ts"

const NAMES: Readonly<Record<Coloring, string>> = {
  region: "Region",
  cluster: "Cluster",
  clip: "Recording",
  speaker: "Speaker",
  level: "Level",
  time: "Time in the recording",
  duration: "Length",
}

/** Selects the coloring of the map, which also groups the list. */
export const ColoringMenu = () => (
  <label className="relative inline-flex shrink-0 items-center rounded-full border border-line bg-raised text-xs font-[560] has-focus-visible:outline-2 has-focus-visible:outline-accent">
    <span className="sr-only">Color and group by</span>
    <select
      value={useMap((s) => s.coloring)}
      onChange={(event) => setColoring(event.target.value as Coloring)}
      className="h-7 [field-sizing:content] cursor-pointer appearance-none rounded-full bg-transparent pr-7 pl-3 text-ink outline-none [&>option]:bg-raised"
    >
      {COLORINGS.map((coloring) => (
        <option key={coloring} value={coloring}>
          {NAMES[coloring]}
        </option>
      ))}
    </select>
    <Icon name="down" size={14} className="pointer-events-none absolute right-2 text-muted" />
  </label>
)
