/** A shorter text is the beginning of too many names. */
const MIN_PREFIX_CHARS = 3
const MAX_NAME_CHARS = 64

/** Returns the edit distance of two texts, where a swap of neighbors is one edit (optimal string alignment). O(n · m). */
const editDistance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    const [above, beforeAbove] = [rows[i - 1]!, rows[i - 2]]
    for (let j = 1; j <= b.length; j++) {
      const change = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, change)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap && beforeAbove) row[j] = Math.min(row[j]!, beforeAbove[j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

/** Returns the name that `given` probably means: one with few edits, or the only one that begins with it. Null if none. */
export const findNearestName = (given: string, names: readonly string[]): string | null => {
  const text = given.toLowerCase()
  if (text.length > MAX_NAME_CHARS) return null
  let [best, bestDistance] = [null as string | null, Math.floor(text.length / 3) + 1]
  for (const name of names) {
    const distance = editDistance(text, name.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  if (best !== null || text.length < MIN_PREFIX_CHARS) return best
  const longer = names.filter((name) => name.toLowerCase().startsWith(text))
  return longer.length === 1 ? longer[0]! : null
}
