import { randomFrom } from "#lib/map/layout/random.ts"

/**
 * Generates unit vectors that resemble embeddings of texts: noisy points around topics of very different sizes, which
 * form groups of eight. Returns n × dims numbers and the topic of each row. Deterministic for a seed.
 */
export const syntheticVectors = (n: number, dims: number, seed = 1, topics = Math.max(1, Math.round(n / 50))) => {
  const random = randomFrom(seed)
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const direction = (): Float32Array => unit(Float32Array.from({ length: dims }, gauss))
  const groups = Array.from({ length: Math.ceil(topics / 8) }, direction)
  const centres = Array.from({ length: topics }, (_, t) => blend(groups[t % groups.length]!, direction(), 0.8))
  const vectors = new Float32Array(n * dims)
  const labels = new Int32Array(n)
  for (let i = 0; i < n; i++) {
    labels[i] = Math.floor(random() ** 1.5 * topics)
    vectors.set(blend(centres[labels[i]!]!, direction(), 0.4 + 0.4 * random()), i * dims)
  }
  return { vectors, labels }
}

const blend = (a: Float32Array, b: Float32Array, share: number): Float32Array =>
  unit(a.map((x, i) => x + share * b[i]!))

const unit = (v: Float32Array): Float32Array => {
  const length = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
  return v.map((x) => x / length)
}
