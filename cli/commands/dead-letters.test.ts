import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Command } from "commander"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { addDeadLetters } from "./dead-letters.ts"

let dir: string
let printed: string[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-dead-letters-"))
  vi.stubEnv("SERVICE_DATA_DIR", dir)
  printed = []
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(dir, { recursive: true })
})

const run = async (...args: string[]) => {
  const program = new Command().exitOverride()
  addDeadLetters(program)
  await program.parseAsync(["dead-letters", ...args], { from: "user" })
  return JSON.parse(printed.splice(0).join("")) as unknown
}

/** Publishes messages that a consumer refuses. @returns their IDs */
const addDeadMessages = async (...ids: string[]) => {
  const node = await openNode(loadConfig({ SERVICE_DATA_DIR: dir }), createLogger("silent", "test"))
  await node.broker!.consume("l1", async () => ({ deadLetter: "invalid" }), { concurrency: 1 })
  await node.broker!.publish(ids.map((id) => ({ stage: "l1", body: "{}", id })))
  await vi.waitFor(async () => expect(await node.broker!.deadLetters({ limit: 9 })).toHaveLength(ids.length))
  await node.close()
}

describe("earmark dead-letters", () => {
  it.each(["requeue", "drop"])("fails to %s unknown IDs", async (action) => {
    expect(await run("list")).toEqual({ dead_letters: [] })
    await expect(run(action, "typo", "other", "typo")).rejects.toMatchObject({
      code: "not_found",
      message: "2 of these IDs are not dead letters. Run `earmark dead-letters list`.",
    })
    expect(JSON.parse(printed.join(""))).toEqual({ [action === "drop" ? "dropped" : "requeued"]: 0 })
  })

  it("requeues and drops the given dead letters, and fails if one of them is unknown", async () => {
    await addDeadMessages("a", "b", "c")
    expect(await run("requeue", "a")).toEqual({ requeued: 1 })
    await expect(run("drop", "b", "typo")).rejects.toThrow(/^1 of these IDs/)
    expect(printed.splice(0).join("")).toContain('"dropped": 1')
    expect(await run("list", "--stage", "l1")).toMatchObject({ dead_letters: [{ id: "c", reason: "invalid" }] })
    expect(await run("requeue")).toEqual({ requeued: 1 })
  })
})
