import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { QueryEvent } from "../../api/documents.ts"
import { extractCitedSentences } from "../../engines/language/citations.ts"
import { NOT_IN_DOCUMENTS } from "../../engines/language/types.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { createLogger } from "../../platform/logger.ts"
import { type Node, openNode } from "../installation/open-node.ts"
import { query, streamQuery } from "../search/query.ts"
import { ingest } from "./ingest.ts"

const signal = new AbortController().signal

describe.each([
  ["SQLite", ""],
  ["memory", "rag"],
])("documents and questions with the index in %s", (_, disabled) => {
  let dir: string
  let root: string
  let node: Node
  const file = (name: string, text: string) => {
    writeFileSync(join(root, name), text)
    return join(root, name)
  }
  const ingestPaths = (paths: string[], prune = false) => ingest(node, { paths, prune }, { signal })
  const ask = (question: string, top_k?: number) =>
    query(node, { question, scope: "documents", ...(top_k ? { top_k } : {}) }, signal)
  beforeEach(async () => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-ingest-")))
    root = join(dir, "root")
    mkdirSync(root)
    const env = {
      SERVICE_DATA_DIR: join(dir, "data"),
      SERVICE_INGEST_ROOTS: root,
      SERVICE_PROVIDER: "builtin",
      SERVICE_MODELS_OFFLINE: "true",
    }
    node = await openNode(loadConfig({ ...env, SERVICE_DISABLE_EXTRAS: disabled }), createLogger("silent", "test"))
  })
  afterEach(async () => {
    await node.close()
    rmSync(dir, { recursive: true })
  })

  it("ingests new and changed files, skips the rest, and prunes missing files on request", async () => {
    const bees = file("bees.md", "# Bees\n\nThe waggle dance encodes direction and distance.")
    file("tides.txt", "Tides rise because the Moon pulls on the oceans.")
    file("picture.png", "no document")
    expect(await ingestPaths([root])).toMatchObject({ ingested: 2, unchanged: 0, skipped: 1, failed: [] })
    expect(await ingestPaths([root, bees])).toMatchObject({ ingested: 0, unchanged: 2 })
    file("bees.md", "# Bees\n\nThe waggle dance encodes the colour of the jar.")
    expect(await ingestPaths([root])).toMatchObject({ ingested: 1, chunks: 1, unchanged: 1 })
    const { sources } = await ask("waggle dance direction")
    expect(sources.some((s) => s.chunk.text.includes("distance"))).toBe(false)
    rmSync(bees)
    expect(await ingestPaths([root])).toMatchObject({ pruned: 0 })
    expect(await ingestPaths([root], true)).toMatchObject({ pruned: 1, unchanged: 1 })
    expect((await node.index.getCounts()).documents).toBe(1)
  })

  it("does not prune a document whose file cannot be examined", async () => {
    const bees = file("bees.md", "# Bees\n\nThe waggle dance encodes direction and distance.")
    file("tides.txt", "Tides rise because the Moon pulls on the oceans.")
    await ingestPaths([root])
    rmSync(bees)
    // A link to itself: reading it fails, as on a share with an input or permission error, and it is not missing.
    symlinkSync(bees, bees)
    expect(await ingestPaths([root], true)).toMatchObject({ pruned: 0 })
    expect((await node.index.getCounts()).documents).toBe(2)
  })

  it("answers with citations, or says that the documents do not contain the answer", async () => {
    const bees = file("bees.md", "# Bees\n\nBees live in hives. The waggle dance encodes direction and distance.")
    file("tides.txt", "Tides rise because the Moon pulls on the oceans.")
    await ingestPaths([root])
    const { answer, sources, provider } = await ask("What does the waggle dance encode?", 2)
    expect(answer).toMatch(/direction and distance\. \[1\]/)
    expect(sources[0]!.chunk.metadata).toEqual({ source: bees, title: "Bees", heading: "Bees" })
    expect(sources[0]!.score).toBeGreaterThan(0)
    expect(provider).toBe("builtin")
    for (const { source } of extractCitedSentences(answer)) expect(source).toBeLessThanOrEqual(sources.length)
    file("ketch.txt", "The ketch Marigold left Bergen in a storm and lost her rudder.")
    await ingestPaths([root])
    expect((await ask("What did the Marigold lose?")).answer).toMatch(/lost her rudder\. \[1\]/)
    expect((await ask("Who won the football world cup?")).answer).toBe(NOT_IN_DOCUMENTS)
  })

  it("finds nothing in an empty index and treats search operators as words", async () => {
    expect(await ask('" NEAR( a AND * ^ col:x')).toMatchObject({ answer: NOT_IN_DOCUMENTS, sources: [] })
  })

  it("streams the sources, the parts of the answer and the end", async () => {
    file("bees.md", "The waggle dance encodes direction. The dance encodes distance too.")
    await ingestPaths([root])
    const events: QueryEvent[] = []
    for await (const event of await streamQuery(
      node,
      { question: "What does the dance encode?", scope: "documents" },
      signal,
    ))
      events.push(event)
    expect(events[0]!.event).toBe("sources")
    const text = events.flatMap((e) => (e.event === "delta" ? [e.data.text] : [])).join("")
    expect(events.at(-1)).toMatchObject({ event: "done", data: { answer: text } })
    expect(text).toContain("[1]")
  })

  it("rejects files and links outside the roots, and reports single files that fail", async () => {
    const outside = join(dir, "secret.txt")
    writeFileSync(outside, "secret")
    symlinkSync(outside, join(root, "link.txt"))
    symlinkSync(dir, join(root, "folder-link"))
    for (const path of [outside, join(root, "link.txt"), join(root, "../secret.txt"), `${root}-evil`, "/etc/passwd"])
      await expect(ingestPaths([path]), path).rejects.toMatchObject({ code: "forbidden" })
    await expect(ingestPaths([join(root, "absent.txt")])).rejects.toMatchObject({ code: "not_found" })
    await expect(ingestPaths([file("x.png", "x")])).rejects.toMatchObject({ code: "unsupported_media" })
    await expect(ingestPaths([file("x.pdf", "no pdf")])).rejects.toMatchObject({ code: "unsupported_media" })
    await expect(ingestPaths([file("bin.txt", "a\0b")])).rejects.toMatchObject({ code: "unsupported_media" })
    await expect(ingestPaths([file("empty.txt", " \n")])).rejects.toMatchObject({ code: "invalid" })
    const endless = file("endless.txt", "word ".repeat(4_200_000))
    await expect(ingestPaths([endless])).rejects.toMatchObject({ code: "too_large" })
    rmSync(endless)
    file("good.txt", "Fine text.")
    const result = await ingestPaths([root])
    expect(result.ingested).toBe(1)
    expect(result.failed.map((f) => f.path).sort()).toEqual(
      ["bin.txt", "empty.txt", "link.txt", "x.pdf"].map((n) => join(root, n)),
    )
    expect((await ask("secret")).sources.every((s) => !s.chunk.text.includes("secret"))).toBe(true)
  })
})
