import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createLogger } from "../../../platform/logger.ts"
import { packageRoot } from "../../../platform/package-root.ts"
import { createModelRegistry } from "../../models/registry.ts"
import { createOnnxEmbedder, type OnnxEmbedder, type OnnxEmbedderOptions } from "./embedder.ts"

const FIXTURES = join(packageRoot(), "test/fixtures/embedding-models")
const expected = JSON.parse(readFileSync(join(FIXTURES, "expected.json"), "utf8")) as Record<
  string,
  { text: string; kind: "document" | "query"; vector: number[] }[]
>
const log = createLogger("silent", "test")

let dir: string
const opened: OnnxEmbedder[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-embedding-"))
  cpSync(FIXTURES, dir, { recursive: true })
})
afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.close()
  rmSync(dir, { recursive: true })
})

const open = (options: Partial<OnnxEmbedderOptions> = {}): OnnxEmbedder => {
  const registry = createModelRegistry({ dir, offline: true, mirror: undefined, proxy: undefined })
  const embedder = createOnnxEmbedder({
    model: "wordpiece",
    registry,
    group: async () => ({ state: "present" }),
    log,
    threads: 1,
    ...options,
  })
  opened.push(embedder)
  return embedder
}

describe("onnx embedder", () => {
  it("computes the vectors of many texts in order, whatever else is embedded", async () => {
    const rows = expected.unigram!.filter(({ kind }) => kind === "document")
    const embedder = open({ model: "unigram" })
    const vectors = await embedder.embed(
      rows.map(({ text }) => text),
      "document",
    )
    vectors.forEach((vector, i) => {
      rows[i]!.vector.forEach((x, d) => {
        expect(vector[d]).toBeCloseTo(x, 4)
      })
    })
    expect(await embedder.embed([rows[3]!.text], "document")).toEqual([vectors[3]])
    expect(await embedder.embed([], "query")).toEqual([])
  })

  it("computes a query before documents that wait", async () => {
    const embedder = open()
    await embedder.embed(["warm"], "document")
    const order: string[] = []
    const document = (name: string) => embedder.embed([name], "document").then(() => order.push(name))
    await Promise.all([document("a"), document("b"), embedder.embed(["q"], "query").then(() => order.push("q"))])
    expect(order).toEqual(["a", "q", "b"])
  })

  it("stops between batches if aborted", async () => {
    await expect(open().embed(["a"], "query", AbortSignal.abort())).rejects.toThrow()
  })

  it("unloads the model when idle and loads it again", async () => {
    const loads: string[] = []
    const counting = createLogger("silent", "test")
    counting.info = ((_: object, message: string) => void loads.push(message)) as typeof counting.info
    const embedder = open({ idleMs: 1, log: counting })
    const [first] = await embedder.embed(["bees"], "document")
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await embedder.embed(["bees"], "document")).toEqual([first])
    expect(loads).toEqual(["loading an embedding model", "loading an embedding model"])
  })

  it("explains a file that is not a model, and works once it is replaced", async () => {
    const file = join(dir, "wordpiece/model.onnx")
    const content = readFileSync(file)
    writeFileSync(file, "<html>log in</html>")
    const embedder = open()
    await expect(embedder.embed(["a"], "query")).rejects.toThrow(
      /Couldn't use the embedding model wordpiece: .*earmark models pull wordpiece/,
    )
    writeFileSync(file, content)
    expect(await embedder.embed(["a"], "query")).toHaveLength(1)
  })

  it.each([
    ["tokenizer.json", "{", /Couldn't use the embedding model wordpiece/],
    ["sentence_bert_config.json", '{"max_seq_length":0}', /sentence_bert_config.json: it is not the configuration/],
  ])("explains a damaged %s", async (name, content, message) => {
    writeFileSync(join(dir, "wordpiece", name), content)
    await expect(open().embed(["a"], "query")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(message),
    })
  })

  it("says what a folder lacks, and that packages are missing", async () => {
    rmSync(join(dir, "wordpiece/model.onnx"))
    await expect(open().embed(["a"], "query")).rejects.toThrow(
      /is not a sentence model: it needs tokenizer.json and model/,
    )
    const group = async () =>
      ({ state: "missing", detail: "onnxruntime-node is not installed.", install: "npm i x" }) as const
    await expect(open({ group }).embed(["a"], "query")).rejects.toMatchObject({
      code: "capability_missing",
      message: expect.stringMatching(/embedding models inside the service.*onnxruntime-node is not installed.*npm i x/),
    })
  })

  it("rejects waiting and later texts when it is closed", async () => {
    const embedder = open()
    const waiting = Promise.allSettled([embedder.embed(["a"], "document"), embedder.embed(["b"], "document")])
    await embedder.close()
    for (const one of await waiting) expect(one).toMatchObject({ status: "rejected", reason: { code: "unavailable" } })
    await expect(embedder.embed(["c"], "query")).rejects.toMatchObject({ code: "unavailable" })
  })
})
