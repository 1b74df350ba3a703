import type { MapModel } from "./model.ts"
import { colourOf, GROUP_COLOURS } from "./palette.ts"
import { lit, type MapState } from "./store.ts"

/** Writes the colour of every point, [n × 4] bytes: red, green, blue, and 255 where it is lit or 0 where it is greyed. */
export const paint = (model: MapModel, state: MapState, dark: boolean, out: Uint8Array): void => {
  const table = Array.from({ length: GROUP_COLOURS + 1 }, (_, rank) => colourOf(state.colouring, rank, dark))
  const groupOf = model.groupOf[state.colouring]
  const rankOf = model.rankOf[state.colouring]
  const on = lit(state, new Uint8Array(model.count))
  for (let i = 0, k = 0; i < model.count; i++, k += 4) {
    const colour = table[Math.min(GROUP_COLOURS, rankOf[groupOf[i]!]!)]!
    out[k] = colour[0]
    out[k + 1] = colour[1]
    out[k + 2] = colour[2]
    out[k + 3] = on[i]! * 255
  }
}
