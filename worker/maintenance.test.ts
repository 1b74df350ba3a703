import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { loadConfig } from "../lib/platform/config/config.ts"
import { createLogger } from "../lib/platform/logger.ts"
import { packageRoot } from "../lib/platform/package-root.ts"
import { requestChange } from "../lib/services/embedding/embedder-change.ts"
import { openNode } from "../lib/services/installation/open-node.ts"
import { openDatabase } from "../lib/storage/database/open.ts"
import { recordLog } from "../test/fixtures/recorded-log.ts"
import { startMaintenance } from "./maintenance.ts"

const YEAR_MS = 365 * 86_400_000

const setUp = async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-maintenance-"))
  const node = await openNode(loadConfig({ SERVICE_DATA_DIR: dir }), createLogger("silent", "test"))
  const { raw, close } = openDatabase({
    path: join(dir, "earmark.db"),
    migrationsDir: join(packageRoot(), "drizzle"),
  })
  onTestFinished(async () => {
    close()
    await node.close()
    rmSync(dir, { recursive: true })
  })
  /** Adds a dead letter of a year ago. */
  const bury = () =>
    raw
      .prepare(
        "insert into broker_messages (id, stage, body, visible_at, dead_at, dead_reason) values ('m', 'l1', '{}', 0, ?, 'no')",
      )
      .run(Date.now() - YEAR_MS)
  const listLeases = () => raw.prepare("select name from leases where owner = 'me' order by name").pluck().all()
  const start = () => {
    const { log, lines } = recordLog()
    const measure = vi.spyOn(node.store!.retention, "measureTables")
    const task = startMaintenance({ deps: node, store: node.store!, broker: node.broker!, owner: "me", log })
    return { task, measure, lines, messages: () => lines.map(({ msg }) => msg) }
  }
  return { node, bury, listLeases, start }
}

it("settles dead letters, cleans up, measures the tables, and releases its leases", async () => {
  const t = await setUp()
  t.bury()
  const { task, measure, messages } = t.start()
  await vi.waitFor(() => expect(measure).toHaveBeenCalledOnce())
  await vi.waitFor(() => expect(messages()).toEqual(["settled dead letters"]))
  expect(await t.node.broker!.deadLetters({ limit: 9 })).toEqual([])
  expect(t.listLeases()).toEqual(["clean-up", "dead letters"])
  await task.stop()
  expect(t.listLeases()).toEqual([])
})

it("leaves both to the worker that has the leases, and logs nothing without a change", async () => {
  const t = await setUp()
  for (const name of ["clean-up", "dead letters"])
    await t.node.store!.outbox.acquireLease({ name, owner: "another", ttlMs: 20_000 })
  t.bury()
  const { task, measure, messages } = t.start()
  await task.stop()
  expect([measure.mock.calls, messages()]).toEqual([[], []])
  expect(await t.node.broker!.deadLetters({ limit: 9 })).toHaveLength(1)
})

it("deletes nothing while the embedder changes, because the vectors of the new one are not used yet", async () => {
  const t = await setUp()
  const store = t.node.store!
  await requestChange(store, "next", 1)
  const pending = vi.spyOn(store.installation, "listChoices")
  const { task, measure } = t.start()
  await vi.waitFor(() => expect(pending).toHaveBeenCalled())
  await task.stop()
  expect(measure).not.toHaveBeenCalled()
  expect(t.listLeases()).toEqual([])
})

it("takes its leases for half of the interval, so that they have ended at the next run", async () => {
  const t = await setUp()
  const acquire = vi.spyOn(t.node.store!.outbox, "acquireLease")
  const { task, measure } = t.start()
  await vi.waitFor(() => expect(measure).toHaveBeenCalledOnce())
  await task.stop()
  expect(acquire.mock.calls.map(([lease]) => lease)).toEqual(
    expect.arrayContaining([
      { name: "clean-up", ttlMs: 1_800_000, owner: "me" },
      { name: "dead letters", ttlMs: 5_000, owner: "me" },
    ]),
  )
})

it("logs what it removes, and stops between two batches without measuring the tables", async () => {
  const t = await setUp()
  const nothing = { jobs: 0, outputs: 0, topicRuns: 0, vectors: 0, speech: 0, idempotencyKeys: 0 }
  let continueBatch = (): void => undefined
  const deleteBatch = vi.spyOn(t.node.store!.retention, "deleteBatch").mockImplementation(async () => {
    await new Promise<void>((resolve) => {
      continueBatch = resolve
    })
    return { ...nothing, topicRuns: 3 }
  })
  t.bury()
  const { task, measure, lines } = t.start()
  await vi.waitFor(() => expect(deleteBatch).toHaveBeenCalled())
  const stopping = task.stop()
  continueBatch()
  await stopping
  expect(deleteBatch).toHaveBeenCalledOnce()
  expect(measure).not.toHaveBeenCalled()
  expect(lines).toContainEqual({ level: "info", dropped: 1, requeued: 0, msg: "settled dead letters" })
  expect(lines).toContainEqual({
    level: "info",
    rows: { ...nothing, topicRuns: 3 },
    uploads: 0,
    uploadBytes: 0,
    msg: "cleaned up",
  })
})
