import { describe } from "vitest"
import { testIdempotency } from "../testing/idempotency.testsuite.ts"
import { createMemoryIdempotencyStore } from "./idempotency.ts"

describe("the store in memory", () => {
  testIdempotency(async () => {
    let time = 0
    const keys = createMemoryIdempotencyStore(() => time)
    return {
      keys,
      another: async () => keys,
      advance: (ms) => {
        time += ms
      },
      teardown: async () => undefined,
    }
  })
})
