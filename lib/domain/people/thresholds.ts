import type { Thresholds } from "./recognize.ts"

/** Speech that is shorter says little about a voice. */
const MIN_SECONDS = 5

/**
 * The thresholds of each embedder.
 *
 * `sherpa:` stands for a speaker embedding model that sherpa-onnx runs. NVIDIA decides at a cosine of 0.4 whether two
 * recordings of TitaNet are one speaker (`verify_speakers`: 0.7 of (1 + cosine) / 2), and sherpa-onnx names speakers at 0.6.
 * `builtin:` was measured: with 0.92, of voices without a name 1.9 % get a wrong one, and 51 % of known voices are missed
 * (docs/people.md).
 */
const THRESHOLDS: Readonly<Record<string, Thresholds>> = {
  sherpa: { apply: 0.65, suggest: 0.4, margin: 0.1, minSeconds: MIN_SECONDS },
  builtin: { apply: 0.92, suggest: 0.82, margin: 0.05, minSeconds: 10 },
}

/**
 * Returns the thresholds of an embedder, or null for one that this version does not know.
 * @param apply replaces the score from which on names are given automatically
 */
export const thresholdsOf = (embedder: string, apply?: number): Thresholds | null => {
  const known = THRESHOLDS[embedder.split(":")[0]!]
  if (!known) return null
  return apply === undefined ? known : { ...known, apply, suggest: Math.min(known.suggest, apply) }
}
