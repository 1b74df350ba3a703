/** What the address of the development page selects. The map adds its own parameters, such as `camera` and `topic`. */
export type Parameters = {
  /** The number of topics. */
  readonly points: number
  /** Another number gives another map of the same size. */
  readonly seed: number
  /** The number of recordings; 0 for one per 24 topics. */
  readonly recordings: number
  readonly regions: number
  /** The distance between the topics of a subject; 1 for compact subjects. */
  readonly spread: number
  readonly theme: "system" | "dark" | "light"
  readonly motion: "system" | "reduce"
  /** `phone` shows the page in a frame of 390 × 844 pixels. */
  readonly size: "window" | "phone"
  readonly webgl: "on" | "off"
  /** `flat` draws the map on a 2-D canvas, as `webgl: "off"` does. */
  readonly renderer: "webgl" | "flat"
  /** A straightforward scene for comparison. */
  readonly scene: "map" | "naive"
  readonly tools: "on" | "off"
}

export const CHOICES = {
  theme: ["system", "dark", "light"],
  motion: ["system", "reduce"],
  size: ["window", "phone"],
  webgl: ["on", "off"],
  renderer: ["webgl", "flat"],
  scene: ["map", "naive"],
  tools: ["on", "off"],
} as const

/** Returns the parameters of an address. Parameters that are missing or invalid have their default. */
export const readParameters = (search: string, tools: Parameters["tools"]): Parameters => {
  const query = new URLSearchParams(search)
  const count = (name: string, fallback: number): number => {
    const value = Number(query.get(name) || fallback)
    return Number.isInteger(value) && value >= 0 ? value : fallback
  }
  const choice = <Name extends keyof typeof CHOICES>(name: Name, fallback: (typeof CHOICES)[Name][number]) =>
    (CHOICES[name] as readonly (typeof CHOICES)[Name][number][]).find((value) => value === query.get(name)) ?? fallback
  return {
    points: count("points", 2000),
    seed: count("seed", 1),
    recordings: count("recordings", 0),
    regions: count("regions", 7),
    spread: count("spread", 1),
    theme: choice("theme", "system"),
    motion: choice("motion", "system"),
    size: choice("size", "window"),
    webgl: choice("webgl", "on"),
    renderer: choice("renderer", "webgl"),
    scene: choice("scene", "map"),
    tools: choice("tools", tools),
  }
}

/** Changes parameters in the address and loads the page again. */
export const navigate = (changes: Readonly<Record<string, string | number>>): void => {
  const query = new URLSearchParams(window.location.search)
  for (const [name, value] of Object.entries(changes)) query.set(name, String(value))
  window.location.search = query.toString()
}
