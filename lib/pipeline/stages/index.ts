import type { StageName } from "../../domain/jobs/stages.ts"
import { type RunnableStage, runnable } from "../stage.ts"
import { decide } from "./decide.ts"
import { l0 } from "./l0.ts"
import { l1 } from "./l1.ts"
import { l2 } from "./l2.ts"
import { persist } from "./persist.ts"
import { summarizeL1 } from "./summarize-l1.ts"
import { summarizeL2 } from "./summarize-l2.ts"
import { whisper } from "./whisper.ts"

/** The eight stages by name. */
export const STAGES: Readonly<Record<StageName, RunnableStage>> = {
  whisper: runnable(whisper),
  l1: runnable(l1),
  decide: runnable(decide),
  l2: runnable(l2),
  summarize_l1: runnable(summarizeL1),
  summarize_l2: runnable(summarizeL2),
  l0: runnable(l0),
  persist: runnable(persist),
}
