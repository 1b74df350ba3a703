import type { StageName } from "../../domain/jobs/stages.ts"
import { type RunnableStage, toRunnableStage } from "../stage.ts"
import { decide } from "./decide.ts"
import { l0 } from "./l0.ts"
import { l1 } from "./l1.ts"
import { l2 } from "./l2.ts"
import { persist } from "./persist.ts"
import { summarizeL1, summarizeL2 } from "./summarize.ts"
import { whisper } from "./whisper.ts"

/** The implementation of each stage. */
export const STAGES: Readonly<Record<StageName, RunnableStage>> = {
  whisper: toRunnableStage(whisper),
  l1: toRunnableStage(l1),
  decide: toRunnableStage(decide),
  l2: toRunnableStage(l2),
  summarize_l1: toRunnableStage(summarizeL1),
  summarize_l2: toRunnableStage(summarizeL2),
  l0: toRunnableStage(l0),
  persist: toRunnableStage(persist),
}
