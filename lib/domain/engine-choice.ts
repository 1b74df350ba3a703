/** A setting whose value `auto` is resolved once per installation. */
export type ChoiceKind = "provider" | "embedder" | "speech"

/** The engine that `auto` resolved to, and why. */
export type Choice = {
  readonly kind: ChoiceKind
  readonly value: string
  readonly reason: string
  /** Unix time in milliseconds. */
  readonly chosen_at: number
}
