import { STAGE_NAMES, type StageMessage, type StageName } from "./stages.ts"

/**
 * The pipeline's graph, and the only place that knows it:
 *
 *   whisper → l1 ─┬→ decide → l2 → summarize_l2 ─┐
 *                 └→ summarize_l1 ───────────────┴→ l0 → persist
 */
const EDGES: Record<StageName, readonly StageName[]> = {
  whisper: ["l1"],
  l1: ["decide", "summarize_l1"],
  decide: ["l2"],
  l2: ["summarize_l2"],
  summarize_l1: ["l0"],
  summarize_l2: ["l0"],
  l0: ["persist"],
  persist: [],
}

/** The stages that must be done before this one can start. */
export const needsOf = (stage: StageName): StageName[] => STAGE_NAMES.filter((from) => EDGES[from].includes(stage))

/** A stage with more than one predecessor: its message is inserted by whoever finishes last, never announced in `next`. */
export const isJoin = (stage: StageName): boolean => needsOf(stage).length > 1

/** What a message for this stage carries as `next`: its successors without joins. */
export const nextOf = (stage: StageName): StageName[] => EDGES[stage].filter((to) => !isJoin(to))

export const firstStage: StageName = "whisper"

/** Whether a message's `next` is the one that the graph gives its stage. */
export const allows = (message: Pick<StageMessage, "stage" | "next">): boolean => {
  const want = nextOf(message.stage)
  return want.length === message.next.length && want.every((s) => message.next.includes(s))
}
