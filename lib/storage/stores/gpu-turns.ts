import type { GpuKind } from "./ports/resources.ts"

/**
 * waiting: asks for the GPU. holding: is at work on it. left: has just gone; for a while the GPU is kept for its kind,
 * because the next stage of a batch comes soon and a change of kind costs the loading of a model.
 * `since`: milliseconds since the epoch at which this began.
 */
export type GpuTenant = {
  readonly kind: GpuKind
  readonly state: "waiting" | "holding" | "left"
  readonly since: number
}

/**
 * Whether one who waits may go to work beside these others, all alive. Nobody waits longer than `turnMs` and the work
 * that was under way by then: one who has waited so long keeps newcomers of the other kind out, and is not kept waiting
 * for those who have left. The longest waiting goes first when the GPU is free.
 */
export const canAcquireGpu = (
  me: Pick<GpuTenant, "kind" | "since">,
  others: readonly GpuTenant[],
  at: number,
  turnMs: number,
): boolean => {
  const [own, foreign] = [others.filter((t) => t.kind === me.kind), others.filter((t) => t.kind !== me.kind)]
  const is = (state: GpuTenant["state"]) => (t: GpuTenant) => t.state === state
  const overdue = ({ since }: Pick<GpuTenant, "since">) => at - since >= turnMs

  if (foreign.some(is("holding"))) return false
  if (foreign.some(is("left")) && !overdue(me)) return false
  const before = foreign.filter((t) => t.state === "waiting" && t.since < me.since)
  if (before.some(overdue)) return false
  const batch = own.some((t) => t.state !== "waiting")
  return batch || before.length === 0
}
