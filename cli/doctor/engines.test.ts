import { expect, it } from "vitest"
import { checkParallelRequests } from "./engines.ts"

it("warns of an Ollama that answers fewer requests at a time than a job sends", () => {
  expect(checkParallelRequests("1")).toMatchObject([
    { state: "warn", detail: expect.stringMatching(/is 1, .*up to 8/), fix: expect.stringMatching(/PARALLEL=8/) },
  ])
  for (const setting of ["8", "16", "", undefined]) expect(checkParallelRequests(setting)).toEqual([])
})
