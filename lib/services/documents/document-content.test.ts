import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePdf } from "../../documents/testing/make-pdf.ts"
import { AppError } from "../../domain/errors.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { findInDocument, getContentPortion, getDocumentContent } from "./document-content.ts"
import { listDocuments } from "./documents.ts"
import { ingest } from "./ingest.ts"

const { signal } = new AbortController()

let node: TestNode
let folder: string
beforeAll(async () => {
  node = await openTestNode({ SERVICE_CHUNK_SIZE: "100", SERVICE_CHUNK_OVERLAP: "50" })
  folder = node.at("own")
  mkdirSync(folder)
})
afterAll(() => node.end())

const ingestFile = async (name: string, content: string): Promise<string> => {
  const path = join(folder, name)
  writeFileSync(path, content)
  await ingest(node, { paths: [path], prune: false }, { signal })
  return (await listDocuments(node)).documents.find(({ source }) => source === path)!.id
}
const MARKDOWN = "# Bees\n\nThe **white** box.\n\n| a | b |\n|---|---|\n| 1 | white |\n\n## Food\n\nNectar."

describe("the content of a document", () => {
  it("is read from its file", async () => {
    const id = await ingestFile("bees.md", MARKDOWN)
    expect(await getDocumentContent(node, { id })).toEqual({
      from: "file",
      portions: [{ blocks: 6, characters: 39, first_chunk: 0 }],
      outline: [
        { portion: 0, block: 0, level: 1, text: "Bees" },
        { portion: 0, block: 4, level: 2, text: "Food" },
      ],
    })
    const { blocks, chunks } = await getContentPortion(node, { id, portion: 0 })
    expect(blocks[1]).toEqual({
      type: "paragraph",
      runs: [{ text: "The " }, { text: "white", bold: true }, { text: " box." }],
    })
    expect(chunks[0]).toEqual({ chunk: 0, block: 0, from: 0, to: 4 })
  })
  it("is put together from its chunks if the file has changed or is gone", async () => {
    for (const change of [(path: string) => writeFileSync(path, "# Other"), (path: string) => rmSync(path)]) {
      const id = await ingestFile("changed.md", MARKDOWN)
      change(join(folder, "changed.md"))
      // The content that was read before is kept until the document is indexed again.
      const { from } = await getDocumentContent(node, { id })
      const { blocks } = await getContentPortion(node, { id, portion: 0 })
      expect([from, blocks[0]]).toEqual(["index", { type: "heading", level: 1, runs: [{ text: "Bees" }] }])
    }
  })
  it("of a PDF is its pages, each without what its chunks repeat", async () => {
    const sentence = (page: number) => (i: number) => `Sentence ${i} of page ${page} is long enough to fill some of it.`
    const page = (number: number) => [0, 1].map(sentence(number)).join(" ")
    const id = await ingestFile("paper.pdf", makePdf(page(1), page(2)))
    const { from, portions } = await getDocumentContent(node, { id })
    expect([from, portions.map((portion) => portion.page)]).toEqual(["index", [1, 2]])
    expect(portions[1]!.first_chunk).toBeGreaterThan(1)
    const { total, matches } = await findInDocument(node, { id, q: "SENTENCE 0 OF PAGE 2" })
    expect([total, matches[0]!.portion]).toEqual([1, 1])
  })
  it("is searched in any case, and only its first thousand matches are returned", async () => {
    const id = await ingestFile("many.txt", "White box. ".repeat(1200))
    const { total, matches } = await findInDocument(node, { id, q: "wHITE" })
    expect([total, matches.length]).toEqual([1200, 1000])
    expect(matches[1]).toEqual({ portion: 0, block: 0, from: 11, to: 16 })
    expect(await findInDocument(node, { id, q: "absent" })).toEqual({ total: 0, matches: [] })
  })
  it("is not there for an unknown document or portion", async () => {
    const id = await ingestFile("bees.md", MARKDOWN)
    const missing = [
      getDocumentContent(node, { id: "unknown" }),
      getContentPortion(node, { id, portion: 1 }),
      findInDocument(node, { id: "unknown", q: "a" }),
    ]
    for (const call of missing) await expect(call).rejects.toMatchObject({ code: "not_found" })
  })
  it("is read again after a failure that passes", async () => {
    const id = await ingestFile("busy.md", MARKDOWN)
    const busy = new AppError("unavailable", "The document parser is busy with other files. Try again later.")
    const parser = { ...node.parser, readContent: () => Promise.reject(busy) }
    await expect(getDocumentContent({ ...node, parser }, { id })).rejects.toBe(busy)
    expect((await getDocumentContent(node, { id })).from).toBe("file")
  })
})
