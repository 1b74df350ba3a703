import type { Scenario } from "../harness/scenario.ts"
import { h01 } from "./h01-many-hosts.ts"
import { hostileFiles } from "./hostile-files.ts"
import { r01 } from "./r01-kill-at-each-point.ts"
import { r02 } from "./r02-random-kills.ts"
import { r03 } from "./r03-sigterm.ts"
import { r04 } from "./r04-broker-stops.ts"
import { r05 } from "./r05-broker-killed-while-publishing.ts"
import { r06 } from "./r06-broker-down-at-boot.ts"
import { r07 } from "./r07-duplicates.ts"
import { r08 } from "./r08-zombie.ts"
import { r09 } from "./r09-poison.ts"
import { r10 } from "./r10-killer-jobs.ts"
import { r11 } from "./r11-malformed.ts"
import { r12 } from "./r12-database-locked.ts"
import { r13 } from "./r13-full-disk.ts"
import { r14 } from "./r14-damaged-database.ts"
import { r15 } from "./r15-upload-killed.ts"
import { r16 } from "./r16-consumer-timeout.ts"
import { r18 } from "./r18-model-server.ts"
import { r20 } from "./r20-burst.ts"
import { r21 } from "./r21-soak.ts"
import { r22 } from "./r22-cancel.ts"
import { r23 } from "./r23-clock.ts"
import { r24 } from "./r24-migrations.ts"
import { r25 } from "./r25-event-stream.ts"
import { r26 } from "./r26-everything-killed.ts"
import { r27 } from "./r27-killed-commits.ts"
import { r28 } from "./r28-ingest-killed.ts"
import { r29 } from "./r29-object-storage.ts"
import { r30 } from "./r30-suspended.ts"
import { r31 } from "./r31-clock-during-long-stages.ts"
import { r32 } from "./r32-store-away.ts"
import { r33 } from "./r33-copies-while-waiting.ts"
import { r34 } from "./r34-gpu-holder-stopped.ts"
import { r35 } from "./r35-full-disk-after-long-stage.ts"
import { r36 } from "./r36-queue-refuses.ts"
import { r37 } from "./r37-connection-cut.ts"
import { r38 } from "./r38-no-broker-at-one-worker.ts"
import { r39 } from "./r39-no-store-at-one-worker.ts"
import { r40, r41 } from "./r40-one-way.ts"
import { r42 } from "./r42-cluster.ts"
import { r43 } from "./r43-power-cut.ts"
import { randomOperations } from "./random-operations.ts"
import { requests } from "./requests.ts"
import { sixWorkers } from "./w-six-workers.ts"

export const SCENARIOS: readonly Scenario[] = [
  r01,
  r02,
  r03,
  r04,
  r05,
  r06,
  r07,
  r08,
  r09,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15,
  r16,
  r18,
  r20,
  r21,
  r22,
  r23,
  r24,
  r25,
  r26,
  r27,
  r28,
  r29,
  r30,
  r31,
  r32,
  r33,
  r34,
  r35,
  r36,
  r37,
  r38,
  r39,
  r40,
  r41,
  r42,
  r43,
  sixWorkers,
  h01,
  hostileFiles,
  randomOperations,
  requests,
]
