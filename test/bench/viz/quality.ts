/**
 * Measures how far neighbors in a layout are neighbors in the data (Venna and Kaski 2001): 1 is best, a random layout
 * has about 0.5. Neighbors in the data are ranked by cosine, in the layout by Euclidean distance.
 *
 * @param step measures every `step`-th row; may be fractional
 */
export const trustworthiness = (
  vectors: Float32Array,
  dims: number,
  coords: Float32Array,
  k = 15,
  step = 1,
): number => {
  const n = coords.length / 3
  let penalty = 0
  let rows = 0
  for (let next = 0; next < n; next += Math.max(1, step)) {
    const i = Math.floor(next)
    rows++
    const similarity = Float64Array.from({ length: n }, (_, j) => dot(vectors, i, j, dims))
    const distance = Float64Array.from({ length: n }, (_, j) => squaredDistance(coords, i, j))
    similarity[i] = Number.NEGATIVE_INFINITY
    distance[i] = Number.POSITIVE_INFINITY
    const near = [...distance.keys()].sort((a, b) => distance[a]! - distance[b]!).slice(0, k)
    for (const j of near) {
      let rank = 1
      for (let m = 0; m < n; m++) if (similarity[m]! > similarity[j]!) rank++
      penalty += Math.max(0, rank - k)
    }
  }
  return 1 - (2 / (rows * k * (2 * n - 3 * k - 1))) * penalty
}

const countPairs = (count: number): number => (count * (count - 1)) / 2

/** Measures the agreement of two partitions (Hubert and Arabie 1985): 1 for equal ones, about 0 for random ones. */
export const adjustedRand = (a: readonly number[], b: readonly number[]): number => {
  const [both, ofA, ofB] = [new Map<string, number>(), new Map<number, number>(), new Map<number, number>()]
  const count = <K>(of: Map<K, number>, key: K) => of.set(key, (of.get(key) ?? 0) + 1)
  a.forEach((label, i) => {
    count(both, `${label} ${b[i]}`)
    count(ofA, label)
    count(ofB, b[i]!)
  })
  const sum = (of: Map<unknown, number>) => [...of.values()].reduce((total, n) => total + countPairs(n), 0)
  const expected = (sum(ofA) * sum(ofB)) / countPairs(a.length)
  const max = (sum(ofA) + sum(ofB)) / 2
  return max === expected ? 1 : (sum(both) - expected) / (max - expected)
}

type Edges = readonly (readonly [a: number, b: number, similarity: number])[]

/** Returns the share of the true edges that were found. */
export const edgeRecall = (found: Edges, truth: Edges): number => {
  const known = new Set(found.map(([a, b]) => `${a} ${b}`))
  return truth.length === 0 ? 1 : truth.filter(([a, b]) => known.has(`${a} ${b}`)).length / truth.length
}

const dot = (v: Float32Array, i: number, j: number, dims: number): number => {
  let sum = 0
  for (let d = 0; d < dims; d++) sum += v[i * dims + d]! * v[j * dims + d]!
  return sum
}

const squaredDistance = (c: Float32Array, i: number, j: number): number =>
  (c[3 * i]! - c[3 * j]!) ** 2 + (c[3 * i + 1]! - c[3 * j + 1]!) ** 2 + (c[3 * i + 2]! - c[3 * j + 2]!) ** 2
