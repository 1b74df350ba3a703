import fc from "fast-check"
import * as clips from "./clip-operations.ts"
import type { Expectations } from "./expectations.ts"
import { checkAlways, checkSettled } from "./invariants.ts"
import { KILL_POINTS, type Library } from "./library.ts"
import * as shared from "./library-operations.ts"
import { SOURCES } from "./recordings.ts"

/** Makes recordings, whose topics the commands after these edit. */
export const makeRecordings = (): RandomCommand[] => {
  const command = createCommand(() => true)
  const submits = SOURCES.map((_, slot) => command("submit", clips.submit(slot, slot), slot, slot))
  return [...submits, command("settle", settle)]
}

export type RandomCommand = fc.AsyncCommand<Expectations, Library>

type Operation = (e: Expectations, library: Library) => Promise<void>

export type Limits = {
  readonly maxCommands: number
  /** How much more often other operations are than to kill a worker and to settle. */
  readonly frequency: number
  /** The time after which no further command runs, in Unix milliseconds. */
  readonly deadline?: () => number
}

/** Creates a command that checks the invariants after its operation. */
const createCommand =
  (isInTime: () => boolean) =>
  (name: string, operation: Operation, ...values: readonly unknown[]): RandomCommand => ({
    check: isInTime,
    run: async (e, library) => {
      e.operations++
      await operation(e, library)
      await checkAlways(e, library)
    },
    toString: () => `${name}(${values.map((value) => JSON.stringify(value)).join(", ")})`,
  })

const settle: Operation = async (e, library) => {
  await library.workers.settle()
  await Promise.all(library.background.splice(0))
  await checkSettled(e, library)
}

/**
 * Runs commands and finally lets the library settle, which checks every invariant.
 * @throws BrokenInvariant
 */
export const runCommands = async (
  e: Expectations,
  library: Library,
  commands: Iterable<RandomCommand>,
): Promise<void> => {
  try {
    await fc.asyncModelRun(() => ({ model: e, real: library }), commands)
    await settle(e, library)
    await shared.collectGarbage(e, library)
    await checkSettled(e, library)
  } finally {
    await Promise.allSettled(library.background.splice(0))
  }
}

const wordEdit = fc.record<clips.RandomWordEdit>({
  kind: fc.constantFrom("text", "text", "speaker", "merge"),
  at: fc.integer({ min: 0, max: 9 }).map((tenths) => tenths / 10),
  length_s: fc.integer({ min: 0, max: 6 }),
  words: fc.integer({ min: 0, max: 3 }),
})

const structureChange = fc.record<clips.RandomStructureChange>({
  action: fc.constantFrom("add", "split", "merge", "delete", "move"),
  topic: fc.nat(20),
  other: fc.nat(20),
  at: fc.integer({ min: 0, max: 9 }).map((tenths) => tenths / 10),
})

const repeated = <T>(elements: readonly T[], times: number): T[] => Array.from({ length: times }, () => elements).flat()

/** Generates sequences of operations. Each selects what it applies to when it runs, so that a part of a sequence is one, too. */
export const arbitraryCommands = (limits: Limits) => createArbitraries(limits).all

/** Generates sequences of topic edits with topic runs and readings of the map in between. */
export const arbitraryTopicEdits = (limits: Limits) => createArbitraries(limits).topics

const createArbitraries = ({ maxCommands, frequency, deadline = () => Number.POSITIVE_INFINITY }: Limits) => {
  const command = createCommand(() => Date.now() < deadline())
  const slot = fc.nat(SOURCES.length - 1)
  const slotOf = (source: (typeof SOURCES)[number]) =>
    fc.constantFrom(...SOURCES.flatMap((other, s) => (other === source ? [s] : [])))
  const pick = fc.nat(20)
  const document = fc.nat(shared.DOCUMENTS - 1)
  const submit = fc
    .tuple(slot, fc.nat(5))
    .map(([s, variant]) => command("submit", clips.submit(s, variant), s, variant))
  const remove = fc
    .tuple(slot, fc.record({ isCanceling: fc.boolean(), isInterrupted: fc.nat(3).map((n) => n === 0) }))
    .map(([s, removal]) => command("remove", clips.remove(s, removal), s, removal))
  const work = fc.nat(12).map((n) => command("work", (_, { workers }) => workers.work(n), n))
  const kill = fc.constantFrom(...KILL_POINTS).map((point) =>
    command(
      "kill",
      async (e, { workers }) => {
        e.kills++
        await workers.kill(point)
      },
      point,
    ),
  )
  const once = (name: string, operation: Operation) => fc.constant(command(name, operation))
  const readings = fc.constantFrom("ask" as const, "ask" as const, "search" as const, "search" as const, "map" as const)
  const rerun = fc.tuple(slot, fc.constantFrom(0, 10, 60)).map(([s, d]) => command("rerun", clips.rerun(s, d), s, d))
  const topicEdits = [
    fc
      .tuple(slot, pick, fc.constantFrom("title", "summary", "start_s"))
      .map(([s, p, field]) => command("changeTopic", clips.changeTopic(s, p, field), s, p, field)),
    fc
      .tuple(slot, structureChange)
      .map(([s, change]) => command("changeStructure", clips.changeStructure(s, change), s, change)),
    fc
      .tuple(slot, fc.constantFrom("undo", "redo"))
      .map(([s, direction]) => command("stepTopics", clips.stepTopics(s, direction), s, direction)),
    fc.tuple(slot, pick).map(([s, p]) => command("undoTopicEdit", clips.undoTopicEdit(s, p), s, p)),
  ]
  const frequent = [
    submit,
    submit,
    submit,
    work,
    work,
    work,
    slotOf("upload").map((s) => command("interruptUpload", clips.interruptUpload(s), s)),
    slotOf("path").map((s) => command("submitPath", clips.submitPath(s), s)),
    pick.map((p) => command("cancel", clips.cancel(p), p)),
    pick.map((p) => command("retry", clips.retry(p), p)),
    rerun,
    fc.tuple(slot, wordEdit).map(([s, edit]) => command("correctWords", clips.correctWords(s, edit), s, edit)),
    fc.tuple(slot, pick).map(([s, p]) => command("undoWordEdit", clips.undoWordEdit(s, p), s, p)),
    ...topicEdits,
    slot.map((s) => command("rename", clips.rename(s), s)),
    slot.map((s) => command("nameSpeaker", clips.nameSpeaker(s), s)),
    remove,
    remove,
    document.map((d) => command("putDocument", shared.putDocument(d), d)),
    document.map((d) => command("deleteDocument", shared.deleteDocument(d), d)),
    fc
      .tuple(slot, readings, fc.boolean())
      .map(([s, what, isAwaited]) => command("read", shared.read(s, what, isAwaited), s, what, isAwaited)),
    once("collectGarbage", shared.collectGarbage),
  ]
  const map = slot.map((s) => command("map", shared.read(s, "map", true), s))
  const size = { maxCommands, size: "max" } as const
  const all = fc.commands([...repeated(frequent, frequency), kill, once("settle", settle)], size)
  const topics = fc.commands(
    [...repeated([...topicEdits, ...topicEdits, rerun, work, map], frequency), once("settle", settle)],
    size,
  )
  return { all, topics }
}
