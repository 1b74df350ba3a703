import type { MapModel } from "./model.ts"
import { colourOf, type Rgb } from "./palette.ts"
import { lit, type MapState } from "./store.ts"

/** Writes the colour of every point, [n × 4] bytes: red, green, blue, and 255 where it is lit or 0 where it is greyed. */
export const paint = (model: MapModel, state: MapState, dark: boolean, out: Uint8Array): void => {
  const table = new Map<number, Rgb>()
  const colour = (rank: number): Rgb => {
    const known = table.get(rank) ?? colourOf(state.colouring, rank, dark)
    table.set(rank, known)
    return known
  }
  const groupOf = model.groupOf[state.colouring]
  const rankOf = model.rankOf[state.colouring]
  const on = lit(state, new Uint8Array(model.count))
  for (let i = 0, k = 0; i < model.count; i++, k += 4) {
    const [red, green, blue] = colour(rankOf[groupOf[i]!]!)
    out[k] = red
    out[k + 1] = green
    out[k + 2] = blue
    out[k + 3] = on[i]! * 255
  }
}
