import { runWithCutOffWorker } from "../harness/cut-off-worker.ts"
import { POSTGRES_RABBITMQ, type Scenario } from "../harness/scenario.ts"

export const r39: Scenario = {
  id: "R39",
  title:
    "one of two workers reaches the broker but not the store (packets are held) for 40 s, three times, while jobs run",
  setups: [POSTGRES_RABBITMQ],
  run: (c) => runWithCutOffWorker(c, { peers: ["store"], directions: ["requests", "answers"] }),
}
