"use client"
import { Icon } from "../../ui/Icon.tsx"
import { COLOURINGS, type Colouring } from "../state/model.ts"
import { colourBy, useMap } from "../state/store.ts"

const NAMES: Readonly<Record<Colouring, string>> = {
  cluster: "Subject",
  clip: "Recording",
  speaker: "Speaker",
  level: "Level",
  time: "Time in the recording",
  duration: "Length",
}

/** What the colours mean and how the list is grouped. */
export const ColorMenu = () => (
  <label className="relative inline-flex shrink-0 items-center rounded-full border border-line bg-raised text-xs font-[560] has-focus-visible:outline-2 has-focus-visible:outline-accent">
    <span className="sr-only">Colour and group by</span>
    <select
      value={useMap((s) => s.colouring)}
      onChange={(event) => colourBy(event.target.value as Colouring)}
      className="h-7 cursor-pointer appearance-none rounded-full bg-transparent pr-7 pl-3 text-ink outline-none [&>option]:bg-raised"
    >
      {COLOURINGS.map((colouring) => (
        <option key={colouring} value={colouring}>
          {NAMES[colouring]}
        </option>
      ))}
    </select>
    <Icon name="down" size={14} className="pointer-events-none absolute right-2 text-muted" />
  </label>
)
