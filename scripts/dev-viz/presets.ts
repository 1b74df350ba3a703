/** A state of the map page that is worth looking at. */
export type Preset = {
  readonly name: string
  readonly query: string
  readonly isPhone?: boolean
  /** The themes in which `npm test` compares a picture of it. `npm run dev:viz -- --compare` compares both themes of all. */
  readonly tested?: readonly Theme[]
}

export type Theme = "dark" | "light"
export const THEMES: readonly Theme[] = ["dark", "light"]

export const PRESETS: readonly Preset[] = [
  { name: "no-topics", query: "points=0" },
  { name: "30-topics", query: "points=30" },
  { name: "300-topics", query: "points=300" },
  { name: "3000-topics", query: "points=3000", tested: ["dark", "light"] },
  { name: "10000-topics", query: "points=10000" },
  { name: "2-regions", query: "points=600&regions=2" },
  { name: "20-regions", query: "points=3000&regions=20" },
  { name: "1-recording", query: "points=120&recordings=1" },
  { name: "400-recordings", query: "points=3000&recordings=400&colour=clip" },
  { name: "open-topic", query: "points=300&topic=clip-3~1.2" },
  { name: "all-links", query: "points=120&spread=8&edges=all", tested: ["dark"] },
  { name: "search", query: "points=600&q=violin" },
  { name: "collected", query: "points=300&chosen=clip-3~1.2+clip-3~1.3+clip-5~1.1" },
  { name: "region", query: "points=3000&solo=clip-2~1.2" },
  { name: "recording-path", query: "points=600&clip=clip-4", tested: ["dark"] },
  { name: "2-d", query: "points=600&flat=1" },
  { name: "timeline", query: "points=600&line=place&span=600_1200" },
  { name: "phone", query: "points=300", isPhone: true, tested: ["light"] },
  { name: "phone-3000-topics", query: "points=3000", isPhone: true },
  { name: "phone-open-topic", query: "points=300&topic=clip-3~1.2", isPhone: true },
  { name: "flat", query: "points=3000&webgl=off", tested: ["dark", "light"] },
  { name: "flat-open-topic", query: "points=300&topic=clip-3~1.2&renderer=flat" },
  { name: "flat-10000-topics", query: "points=10000&renderer=flat" },
  { name: "phone-flat", query: "points=300&webgl=off", isPhone: true, tested: ["light"] },
]

/** Returns the address of a preset. `frame` adds a frame of the size of a phone around the page. */
export const addressOf = ({ query, isPhone }: Preset, theme: Theme | null, frame: boolean): string =>
  `?${query}${theme ? `&theme=${theme}` : ""}${isPhone && frame ? "&size=phone" : ""}`
