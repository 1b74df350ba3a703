import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { batchLiveWords } from "./live-words.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const timed = (word: string, start = 0) => ({ word, start, end: start + 0.123 })

it("sends the first words at once, and later ones in numbered batches a second apart", async () => {
  const sent: [number, string][] = []
  const words = batchLiveWords(
    async (batch, list) => void sent.push([batch, list.map((w) => w.word).join(" ")]),
    () => {},
  )
  words.add([timed("one")])
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toEqual([[1, "one"]])
  words.add([timed("two")])
  await vi.advanceTimersByTimeAsync(500)
  words.add([timed("three")])
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(600)
  expect(sent).toEqual([
    [1, "one"],
    [2, "two three"],
  ])
  words.add([timed("late")])
  await words.end()
  words.add([timed("later")])
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent).toHaveLength(2)
})

it("continues after a batch that could not be stored, and rounds times", async () => {
  const failures: unknown[] = []
  const sent: unknown[] = []
  const words = batchLiveWords(
    async (batch, list) => {
      if (batch === 1) throw new Error("locked")
      sent.push(...list)
    },
    (error) => failures.push(error),
  )
  words.add([timed("lost")])
  await vi.advanceTimersByTimeAsync(1)
  words.add([{ word: "kept", start: -0.001, end: 1.23456 }])
  await vi.advanceTimersByTimeAsync(1000)
  expect(failures).toHaveLength(1)
  expect(sent).toEqual([{ word: "kept", start: 0, end: 1.23 }])
  await words.end()
})
