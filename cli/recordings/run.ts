import { messageOf } from "#lib/domain/errors.ts"
import { settings } from "../environment.ts"
import { printResult, reportFailure } from "../output.ts"
import { createStageBars } from "../progress.ts"
import { openRemote, type RemoteFlags } from "../remote.ts"
import { createLocalProcessor, createRemoteProcessor, type Processor } from "./processor.ts"
import { type Source, withSources } from "./sources.ts"

type Bars = ReturnType<typeof createStageBars>
/** The result of one recording, as JSON and as text. */
export type Output = { readonly json: object; readonly text: () => string }

type Task = (processor: Processor, source: Source, bars: Bars) => Promise<Output>

/**
 * Runs a task for each source and prints the results: one object for one source, a list for several. After a failure it
 * goes on with the next source, and the exit code is that of the last failure.
 */
export const processSources = (given: readonly string[], flags: RemoteFlags, task: Task): Promise<void> =>
  withSources(given, async (sources) => {
    const remote = openRemote(flags)
    const processor = remote ? createRemoteProcessor(remote) : createLocalProcessor(settings())
    const runOne = async (source: Source): Promise<Output> => {
      const bars = createStageBars()
      try {
        return await task(processor, source, bars)
      } finally {
        bars.end()
      }
    }
    try {
      const [only] = sources
      if (only && sources.length === 1) {
        const { json, text } = await runOne(only)
        return printResult(json, text)
      }
      const outputs: Output[] = []
      for (const [i, source] of sources.entries()) {
        process.stderr.write(`[${i + 1}/${sources.length}] ${source.given}\n`)
        const output = await runOne(source).catch((error: unknown): Output => {
          process.exitCode = reportFailure(error)
          return { json: { error: messageOf(error) }, text: () => `failed: ${messageOf(error)}` }
        })
        outputs.push({
          json: { source: source.given, ...output.json },
          text: () => `${source.given}\n${output.text()}`,
        })
      }
      printResult(
        outputs.map(({ json }) => json),
        () => outputs.map(({ text }) => text()).join("\n\n"),
      )
    } finally {
      await processor.close()
    }
  })

/** Prints the ID of the clip that a command made. */
export const sayClip = (id: string): void => {
  process.stderr.write(`clip ${id}\n`)
}
