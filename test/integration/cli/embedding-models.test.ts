import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { runCli } from "#test/fixtures/cli.ts"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"

/** A sentence model in a thread of the built programs: the command line, and a worker beside it. */
let service: Installation
beforeEach(async () => {
  service = await openInstallation({ SERVICE_PROVIDER: "builtin" })
  cpSync(join(packageRoot(), "test/fixtures/embedding-models/wordpiece"), join(service.dir, "models/mine"), {
    recursive: true,
  })
  const words = "The bees dance in the hive. The keeper counts the frames of honey."
  mkdirSync(join(service.dir, "talks"))
  writeFileSync(join(service.dir, "talks/bees.srt"), `1\n00:00:01,000 --> 00:00:20,000\n${words}\n`)
  expect(
    await earmark("generate-topics", "name:bees", "--transcription", join(service.dir, "talks/bees.srt")),
  ).toMatchObject({
    code: 0,
  })
})
afterEach(() => service.close())

const earmark = (...args: string[]) =>
  runCli({ SERVICE_DATA_DIR: service.dir, SERVICE_PROVIDER: "builtin", SERVICE_MODELS_OFFLINE: "true" }, args)
const embedderOf = async () =>
  (await service.node.store!.installation.listChoices()).find(({ kind }) => kind === "embedder")?.value

describe("embedding models", { timeout: 120_000 }, () => {
  it("replace the embedder at once without a worker, and are listed as in use", async () => {
    const set = await earmark("engines", "set", "embedder=mine")
    expect([set.code, set.err]).toEqual([0, expect.stringMatching(/^\d+ texts must be embedded with onnx\/mine/)])
    expect(JSON.parse(set.out)).toMatchObject({ detail: "embedder is now mine", is_pending: false })
    const { models } = JSON.parse((await earmark("models", "list")).out)
    expect(models.find((model: { name: string }) => model.name === "mine")).toMatchObject({
      use: "embedding",
      in_use: true,
    })
    const answer = JSON.parse((await earmark("query", "Who counts the frames?", "--scope", "clips")).out)
    expect(answer.answer).toContain("The keeper counts the frames of honey. [1]")
  })

  it("replace the embedder in a worker, which indexes the recordings with them", async () => {
    await service.worker()
    const set = await earmark("engines", "set", "embedder=mine")
    expect(JSON.parse(set.out)).toMatchObject({ detail: expect.stringMatching(/A worker does that/), is_pending: true })
    await expect.poll(embedderOf, { timeout: 60_000 }).toBe("mine")
    await expect.poll(() => service.node.index.listClipsWithoutChunks("onnx/mine"), { timeout: 30_000 }).toEqual([])
  })
})
