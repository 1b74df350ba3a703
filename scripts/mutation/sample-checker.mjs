// A Stryker plugin that lets only sampled mutants run: Stryker selects by ranges of lines, which contain nested mutants too.
import { describeMutant } from "./sample.mjs"

createSampleChecker.inject = ["options"]
/** @param options Stryker's, with `sampledMutants`: their descriptions */
function createSampleChecker({ sampledMutants }) {
  const sampled = new Set(sampledMutants)
  return {
    init: async () => {},
    check: async (mutants) =>
      Object.fromEntries(
        mutants.map((mutant) => [
          mutant.id,
          sampled.has(describeMutant(mutant))
            ? { status: "passed" }
            : { status: "compileError", reason: "not sampled" },
        ]),
      ),
    group: async (mutants) => [mutants.map(({ id }) => id)],
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", factory: createSampleChecker }]
export const strykerValidationSchema = {
  properties: { sampledMutants: { type: "array", items: { type: "string" }, default: [] } },
}
