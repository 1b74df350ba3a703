import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { silent, tempConfig } from "#test/fixtures/web.ts"
import type { ExportLine } from "../../api/export.ts"
import { ENDPOINTS } from "../../api/table.ts"
import { documentOf } from "../../storage/stores/testing/documents.testsuite.ts"
import { topicsOf, transcriptOf, wordsOf } from "../../storage/stores/testing/fixtures.ts"
import { openNode } from "../installation/open-node.ts"
import { exportLibrary } from "./export-library.ts"

const { config, remove } = tempConfig()
let node: Awaited<ReturnType<typeof openNode>>

beforeAll(async () => {
  node = await openNode(config, silent)
  const { clips, topics } = node.store!
  for (let i = 0; i < 51; i++) {
    const clip = { title: `Clip ${i}`, source_url: null, file_path: null }
    await clips.saveTranscript(`clip-${i}`, clip, transcriptOf("one two"))
  }
  await topics.save("clip-0", topicsOf("talk"))
  await node.index.put(documentOf("/notes/bees.md", ["The waggle dance", "encodes direction."]))
}, 60_000)
afterAll(async () => {
  await node.close()
  remove()
})

const linesOf = async (include: ("words" | "text")[] = []): Promise<ExportLine[]> => {
  const lines: ExportLine[] = []
  for await (const line of exportLibrary(node, { include })) lines.push(line)
  return lines
}

describe("an export of the library", () => {
  it("has a line for each clip, topic and document, and ends with their numbers", async () => {
    const lines = await linesOf()
    expect(lines.at(-1)).toEqual({ type: "end", clips: 51, topics: 5, documents: 1 })
    const ids = lines.flatMap((line) => (line.type === "clip" ? [line.id] : []))
    expect(new Set(ids).size).toBe(51)
    expect(lines.map(({ type }) => type).filter((type) => type === "topic")).toHaveLength(5)
    const { schema } = ENDPOINTS.exportLibrary.lines
    for (const line of lines) expect(schema.safeParse(line).error).toBeUndefined()
  })
  it("has words and texts only if they are included", async () => {
    const [plain, whole] = [await linesOf(), await linesOf(["words", "text"])]
    expect(plain.filter((line) => "transcription" in line || "parts" in line)).toEqual([])
    expect(whole.find((line) => line.type === "clip")?.transcription).toEqual(wordsOf("one two"))
    expect(whole.find((line) => line.type === "document")?.parts?.map((part) => part.text)).toEqual([
      "The waggle dance",
      "encodes direction.",
    ])
  })
})
