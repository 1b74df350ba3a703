import { runWithCutOffWorker } from "../harness/cut-off-worker.ts"
import { POSTGRES, RABBITMQ, type Scenario, type ScenarioContext } from "../harness/scenario.ts"

/** SQLite is not reached over a network. */
const peersOf = ({ setup }: ScenarioContext) => {
  const store = setup.store === "postgres" ? (["store"] as const) : []
  return [...store, ...(setup.broker === "rabbitmq" ? (["broker"] as const) : [])]
}

export const r40: Scenario = {
  id: "R40",
  title:
    "what one of two workers sends to store and broker arrives, but no answer does, for 40 s, three times, while jobs run",
  setups: [POSTGRES, ...RABBITMQ],
  run: (c) => runWithCutOffWorker(c, { peers: peersOf(c), directions: ["answers"] }),
}

export const r41: Scenario = {
  id: "R41",
  title:
    "what store and broker send to one of two workers arrives, but nothing that it sends, for 40 s, three times, while jobs run",
  setups: [POSTGRES, ...RABBITMQ],
  run: (c) => runWithCutOffWorker(c, { peers: peersOf(c), directions: ["requests"] }),
}
