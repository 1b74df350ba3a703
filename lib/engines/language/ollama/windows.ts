import type { Line } from "../boundary-text.ts"

/** Part of a window's budget that it shares with the window before it. */
const OVERLAP = 0.2

/**
 * Cuts items into windows whose cost stays within the budget, each beginning with the last items of the one before it
 * (a fifth of the budget). Every item is in at least one window; an item that alone exceeds the budget has its own.
 */
export const windowsOf = <T>(items: readonly T[], cost: (item: T) => number, budget: number): T[][] => {
  const costs = items.map(cost)
  const windows: T[][] = []
  let from = 0
  while (from < items.length) {
    let to = from
    let spent = 0
    while (to < items.length && (to === from || spent + costs[to]! <= budget)) spent += costs[to++]!
    windows.push(items.slice(from, to))
    if (to === items.length) break
    let back = to
    let shared = 0
    while (back - 1 > from && shared + costs[back - 1]! <= budget * OVERLAP) shared += costs[--back]!
    // The next window must reach beyond this one, or its shared beginning would be all of it.
    while (back < to && shared + costs[to]! > budget) shared -= costs[back++]!
    from = back
  }
  return windows
}

/** Splits lines that cost more than `most` between words, so that windows can be cut anywhere. */
export const splitLongLines = (lines: readonly Line[], cost: (line: Line) => number, most: number): Line[] =>
  lines.flatMap((line) => {
    if (line.words.length < 2 || cost(line) <= most) return [line]
    const middle = line.words.length >> 1
    const halves = [line.words.slice(0, middle), line.words.slice(middle)]
    return splitLongLines(
      halves.map((words) => ({ ...line, words })),
      cost,
      most,
    )
  })

/** What was found in one window, in seconds. `from` and `to` are the window's ends. */
export type WindowCuts = { readonly from: number; readonly to: number; readonly cuts: readonly number[] }

/**
 * Boundaries of overlapping windows as one rising list. Two boundaries of different windows closer than `tolerance`
 * are one. Where windows disagree, each is believed on its own side of the middle of the overlap, where it sees more.
 */
export const mergeCuts = (windows: readonly WindowCuts[], tolerance: number): number[] => {
  let merged: number[] = [...(windows[0]?.cuts ?? [])]
  for (let i = 1; i < windows.length; i++) {
    const [before, next] = [windows[i - 1]!, windows[i]!]
    const middle = (next.from + before.to) / 2
    const left = new Set(merged)
    const right = next.cuts.filter((cut) => {
      const twin = [...left].find((other) => Math.abs(other - cut) <= tolerance)
      if (twin === undefined) return cut >= middle
      if (twin < middle) return false
      left.delete(twin)
      return true
    })
    merged = [...[...left].filter((cut) => cut < middle), ...right].sort((a, b) => a - b)
  }
  return merged
}
