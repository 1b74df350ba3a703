import { afterEach, expect, it, vi } from "vitest"
import { createLogger } from "../lib/platform/logger.ts"
import { recordLog } from "../test/fixtures/recorded-log.ts"
import { setupGracefulShutdown } from "./shutdown.ts"

const EVENTS = ["SIGTERM", "SIGINT", "disconnect"] as const
const before = new Map(EVENTS.map((event) => [event, process.listeners(event as "SIGTERM")]))
afterEach(() => {
  vi.restoreAllMocks()
  for (const event of EVENTS)
    for (const listener of process.listeners(event as "SIGTERM"))
      if (!before.get(event)!.includes(listener)) process.off(event, listener)
})

it("runs the steps after one that fails, once, and exits with the given code", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never)
  const steps: string[] = []
  const step = (name: string, error?: Error) => ({
    name,
    run: async () => {
      steps.push(name)
      if (error) throw error
    },
  })
  const end = setupGracefulShutdown(createLogger("silent", "test"), [
    step("draining"),
    step("stopping the relay", new Error("the broker is gone")),
    step("closing the database"),
  ])
  await Promise.all([end(3), end(0)])
  expect(steps).toEqual(["draining", "stopping the relay", "closing the database"])
  expect(exit.mock.calls).toEqual([[3]])
})

it("logs a step that fails, and its end", async () => {
  vi.spyOn(process, "exit").mockImplementation((() => undefined) as never)
  const { log, lines } = recordLog()
  setupGracefulShutdown(log, [{ name: "closing the database", run: () => Promise.reject(new Error("it is locked")) }])
  process.listeners("SIGINT").at(-1)!("SIGINT")
  await vi.waitFor(() => expect(lines).toHaveLength(3))
  expect(lines).toEqual([
    { level: "info", signal: "SIGINT", msg: "worker stopping" },
    { level: "error", detail: "it is locked", msg: "closing the database failed" },
    { level: "info", msg: "worker stopped" },
  ])
})

it("shuts down when its supervisor is gone", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never)
  setupGracefulShutdown(createLogger("silent", "test"), [])
  const listener = process.listeners("disconnect").at(-1) as () => void
  listener()
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[0]]))
})

it("shuts down on a signal, and exits at once on the second one", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never)
  let finish = (): void => undefined
  const run = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  setupGracefulShutdown(createLogger("silent", "test"), [{ name: "draining", run }])
  const signal = process.listeners("SIGTERM").at(-1)!
  signal("SIGTERM")
  expect([run.mock.calls.length, exit.mock.calls]).toEqual([1, []])
  signal("SIGTERM")
  expect([run.mock.calls.length, exit.mock.calls]).toEqual([1, [[1]]])
  finish()
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1], [0]]))
})
