import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { packageRoot } from "../../platform/package-root.ts"
import { openSqliteBroker } from "../../queue/sqlite/index.ts"
import { openDatabase } from "../../storage/database/open.ts"
import { openSqliteStore } from "../../storage/stores/sqlite/index.ts"
import { claim, newJob } from "../../storage/stores/testing/fixtures.ts"
import { settleDeadLetters } from "./settle-dead-letters.ts"

const DAY_MS = 86_400_000

const setUp = () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-dead-"))
  const handle = openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle)
  const broker = openSqliteBroker(handle)
  onTestFinished(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })
  const bury = (p: { id: string; body: string; deadAt?: number }) =>
    handle.raw
      .prepare(
        "insert into broker_messages (id, stage, body, visible_at, dead_at, dead_reason) values (?, 'whisper', ?, 0, ?, 'no')",
      )
      .run(p.id, p.body, p.deadAt ?? Date.now())
  /** Submits a job and makes its message a dead letter. */
  const buryJob = async (): Promise<string> => {
    const job = newJob()
    await store.jobs.submit(job)
    const [message] = await store.outbox.listDue(1)
    await store.outbox.markPublished([message!.id])
    bury(message!)
    return job.jobId
  }
  /** A broker on which dead letters have no time, as those that RabbitMQ itself removed at a delivery limit. */
  const removedByBroker = {
    ...broker,
    deadLetters: async (choice: Parameters<typeof broker.deadLetters>[0]) =>
      (await broker.deadLetters(choice)).map(({ deadAt: _, ...letter }) => letter),
  }
  const left = async () => (await broker.deadLetters({ limit: 100 })).map((letter) => letter.id)
  return { store, broker, removedByBroker, bury, buryJob, left }
}

describe("settleDeadLetters", () => {
  it("drops the dead letter of a job that has ended, and keeps that of an active one", async () => {
    const t = setUp()
    const [ended, active] = [await t.buryJob(), await t.buryJob()]
    await t.store.jobs.cancel(ended)
    expect(await settleDeadLetters(t.store, t.broker, DAY_MS)).toEqual({ dropped: 1, requeued: 0 })
    expect(await t.left()).toEqual([`${active}:whisper:1`])
  })

  it("requeues what the broker removed at its delivery limit while the stage still waits for it", async () => {
    const t = setUp()
    const waiting = await t.buryJob()
    expect(await settleDeadLetters(t.store, t.removedByBroker, DAY_MS)).toEqual({ dropped: 0, requeued: 1 })
    expect((await t.broker.stats()).whisper.waiting).toBe(1)
    const claimed = await t.buryJob()
    await claim(t.store, claimed, "whisper")
    expect(await settleDeadLetters(t.store, t.removedByBroker, DAY_MS)).toEqual({ dropped: 1, requeued: 0 })
    expect(await t.store.jobs.get(waiting)).toMatchObject({ status: "queued" })
  })

  it("changes nothing while all letters are kept", async () => {
    const t = setUp()
    t.bury({ id: "not JSON", body: "{" })
    const unused = () => Promise.reject(new Error("no letter is chosen"))
    const broker = { ...t.broker, dropDeadLetters: unused, requeueDeadLetters: unused }
    expect(await settleDeadLetters(t.store, broker, DAY_MS)).toEqual({ dropped: 0, requeued: 0 })
  })

  it("drops letters of deleted jobs and old ones, and keeps those that are not messages of the outbox", async () => {
    const t = setUp()
    const body = JSON.stringify({
      version: 1,
      job_id: "gone",
      session_id: "fa678091-b771-53c5-bb5c-b97259498be6",
      stage: "whisper",
      attempt: 1,
      next: ["l1"],
    })
    t.bury({ id: "gone:whisper:1", body })
    t.bury({ id: "another program", body })
    t.bury({ id: "not JSON", body: "{" })
    t.bury({ id: "old", body: "{", deadAt: Date.now() - DAY_MS - 1000 })
    expect(await settleDeadLetters(t.store, t.broker, DAY_MS)).toEqual({ dropped: 2, requeued: 0 })
    expect(await t.left()).toEqual(["another program", "not JSON"])
  })
})
