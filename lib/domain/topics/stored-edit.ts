/** An edit as it is kept: anchored by time in the tree as a run made it, so that a later run can be matched. Seconds. */
export type TextEdit = {
  readonly kind: "text"
  readonly id: string
  readonly level: number
  readonly start_s: number
  readonly end_s: number
  /** Null: as the run has it. */
  readonly title: string | null
  readonly summary: string | null
  /** Milliseconds since the epoch. */
  readonly edited_at: number
}
export type BorderEdit = {
  readonly kind: "border"
  readonly id: string
  /** Where the run had the border, and where people put it. */
  readonly from_s: number
  readonly to_s: number
  readonly edited_at: number
}
export type KeptEdit = TextEdit | BorderEdit
