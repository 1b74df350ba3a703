import { runWithCutOffWorker } from "../harness/cut-off-worker.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"

export const r38: Scenario = {
  id: "R38",
  title:
    "one of two workers reaches the store but not the broker (packets are held) for 40 s, three times, while jobs run",
  setups: RABBITMQ,
  run: (c) => runWithCutOffWorker(c, { peers: ["broker"], directions: ["requests", "answers"] }),
}
