import { describeMutant } from "./sample.mjs"

createSampleChecker.inject = ["options"]
/**
 * Lets only sampled mutants run. Stryker itself selects by ranges of lines, which contain nested mutants too.
 * @param options Stryker's, with `sampledMutants`: their descriptions
 */
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

/** Prints each result as soon as it is known. */
const createResultReporter = () => ({
  onMutantTested: ({ fileName, location: { start }, mutatorName, replacement, status }) => {
    if (status === "CompileError") return
    console.log(
      `${status.padEnd(10)} ${fileName}:${start.line}:${start.column} ${mutatorName}: ${replacement.replace(/\s+/g, " ")}`,
    )
  },
})

export const strykerPlugins = [
  { kind: "Checker", name: "sample", factory: createSampleChecker },
  { kind: "Reporter", name: "results", factory: createResultReporter },
]
export const strykerValidationSchema = {
  properties: { sampledMutants: { type: "array", items: { type: "string" }, default: [] } },
}
