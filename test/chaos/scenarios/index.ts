import type { Scenario } from "../harness/scenario.ts"
import { r01 } from "./r01-kill-at-each-point.ts"
import { r02 } from "./r02-random-kills.ts"
import { r03 } from "./r03-sigterm.ts"
import { r07 } from "./r07-duplicates.ts"
import { r09 } from "./r09-poison.ts"
import { r10 } from "./r10-killer-jobs.ts"
import { r11 } from "./r11-malformed.ts"
import { r26 } from "./r26-everything-killed.ts"
import { sixWorkers } from "./w-six-workers.ts"

export const SCENARIOS: readonly Scenario[] = [r01, r02, r03, r07, r09, r10, r11, r26, sixWorkers]
