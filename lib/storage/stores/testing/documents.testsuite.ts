import { tmpdir } from "node:os"
import { serialize } from "node:v8"
import { describe, expect, it } from "vitest"
import type { DocumentsQuery } from "../../../domain/documents.ts"
import { uuid5 } from "../../../domain/ids.ts"
import { createRecordFile } from "../../../platform/files/record-file.ts"
import {
  type DocumentIndex,
  type DocumentKind,
  MAX_TERMS,
  type NewChunk,
  type NewDocument,
  type SearchTerm,
} from "../ports/documents.ts"

const MODEL = "test-embedder"
const unit = (angle: number) => Float32Array.from([Math.cos(angle), Math.sin(angle)])

export const documentOf = (
  source: string,
  texts: readonly string[],
  changes: Partial<NewDocument & { chunks: readonly NewChunk[] }> = {},
): NewDocument & { readonly chunks: readonly NewChunk[] } => ({
  id: uuid5(`file:${source}`),
  kind: "file" as DocumentKind,
  source,
  fingerprint: texts.join("|"),
  embedModel: MODEL,
  chunks: texts.map((text, i) => ({ text, context: "", metadata: { page: i + 1 }, vector: unit(i) })),
  ...changes,
})

/** Tests an implementation of `DocumentIndex`. `open` creates an empty index. */
export const testDocumentIndex = (
  name: string,
  open: () => Promise<{ index: DocumentIndex; close(): Promise<void> }>,
) =>
  describe(`${name} document index`, () => {
    const withIndex = (use: (index: DocumentIndex) => Promise<void>) => async () => {
      const { index, close } = await open()
      try {
        await use(index)
      } finally {
        await close()
      }
    }
    const files = { scope: "documents", limit: 10 } as const
    const anyOf = (words: readonly string[]) => words.map((word) => ({ words: [word], weight: 1 }))
    const textsOf = async (
      index: DocumentIndex,
      words: string[],
      scope: "documents" | "clips" | "all" = "documents",
    ) => {
      const hits = await index.searchText(anyOf(words), { scope, limit: 10 })
      return (await index.getChunks(hits.map((h) => h.row))).map((c) => c.text)
    }

    it(
      "replaces the vectors of a document, which stays as it is otherwise",
      withIndex(async (index) => {
        const bees = documentOf("/notes/bees.md", ["bees dance", "bees sleep"])
        await index.put(bees)
        await index.put(documentOf("/notes/tides.md", ["tides turn"]))
        const before = await index.getFile(bees.id)
        const rowsOf = async (model: string, angle: number) =>
          (await index.searchVectors(model, unit(angle), files)).map(({ row, score }) => [row, Math.round(score * 100)])
        expect(await rowsOf("other", 0)).toEqual([])
        expect((await rowsOf(MODEL, 0)).length).toBe(3)
        const sources = async (model: string) => (await index.listFilesOfOtherModels(model)).map(({ source }) => source)
        expect(await sources("other")).toEqual(["/notes/bees.md", "/notes/tides.md"])

        const vectors = [unit(2), unit(3)]
        const change = { document: bees, fingerprint: "f2", embedModel: "other", vectors }
        expect(await index.replaceVectors(change)).toBe(true)
        const rows = before!.chunks.map(({ row }) => row)
        expect(await rowsOf("other", 3)).toEqual([
          [rows[1], 100],
          [rows[0], 54],
        ])
        expect((await index.getVectors("other", rows)).get(rows[0]!)).toEqual(unit(2))
        expect((await rowsOf(MODEL, 0)).length).toBe(1)
        expect(await index.getFile(bees.id)).toEqual(before)
        expect(await textsOf(index, ["sleep"])).toEqual(["bees sleep"])
        expect((await index.findBySource("file", [bees.source])).get(bees.source)?.fingerprint).toBe("f2")
        expect(await sources("other")).toEqual(["/notes/tides.md"])
      }),
    )

    it(
      "does not replace the vectors of a document that has changed or is gone",
      withIndex(async (index) => {
        const bees = documentOf("/notes/bees.md", ["bees dance"])
        const change = { document: bees, fingerprint: "f2", embedModel: "other", vectors: [unit(2)] }
        expect(await index.replaceVectors(change)).toBe(false)
        await index.put({ ...bees, fingerprint: "newer" })
        expect(await index.replaceVectors(change)).toBe(false)
        await index.put({ ...bees, chunks: [...bees.chunks, ...bees.chunks] })
        expect(await index.replaceVectors(change)).toBe(false)
        expect((await index.listFilesOfOtherModels("other")).length).toBe(1)
        expect(await index.searchVectors("other", unit(2), files)).toEqual([])
      }),
    )

    it(
      "finds files by text and time, in every order, page by page",
      withIndex(async (index) => {
        for (const source of ["/notes/Über uns.md", "/notes/bees.md", "/papers/wasps.md"])
          await index.put(documentOf(source, [`about ${source}`]))
        await index.put(documentOf("clip", ["spoken"], { kind: "clip" }))
        const sourcesOf = async (query: DocumentsQuery) => (await index.findFiles(query)).files.map((f) => f.source)
        const all = await sourcesOf({})
        expect(all).toEqual((await index.listFiles()).map((file) => file.source))
        expect(await sourcesOf({ sort: "-source" })).toEqual(all.toReversed())
        expect(await sourcesOf({ q: "NOTES/B" })).toEqual(["/notes/bees.md"])
        expect(await sourcesOf({ created_before: "2001-01-01" })).toEqual([])
        expect(await sourcesOf({ created_after: "2001-01-01T00:00:00Z" })).toHaveLength(3)
        for (const sort of ["source", "-source", "created_at", "-created_at"] as const) {
          const first = await index.findFiles({ limit: 2, sort })
          const second = await index.findFiles({ limit: 2, sort, cursor: first.next_cursor! })
          expect(second.next_cursor).toBeUndefined()
          expect([...first.files, ...second.files].map((f) => f.source).sort()).toEqual([...all].sort())
        }
        const { next_cursor } = await index.findFiles({ limit: 1 })
        await expect(index.findFiles({ sort: "-source", cursor: next_cursor! })).rejects.toMatchObject({
          code: "invalid",
        })
      }),
    )

    it(
      "stores the chunks of a file of chunks in their order",
      withIndex(async (index) => {
        const file = await createRecordFile(tmpdir())
        try {
          const document = documentOf(
            "/long.txt",
            Array.from({ length: 250 }, (_, i) => `chunk ${i}`),
          )
          for (const from of [0, 120, 240]) await file.append(serialize(document.chunks.slice(from, from + 120)))
          await index.put({ ...document, chunks: { path: file.path, count: 250 } })
          const stored = (await index.getFile(document.id))!
          expect(stored.chunks.map((c) => c.text)).toEqual(document.chunks.map((c) => c.text))
          expect(await index.getCounts()).toMatchObject({ chunks: 250, textRows: 250, vectors: 250 })
        } finally {
          await file.remove()
        }
      }),
    )
    it(
      "lists files by path with their title, and returns a file with its chunks in order",
      withIndex(async (index) => {
        await index.put(documentOf("/b.txt", ["tides rise"]))
        const bees = documentOf("/a.txt", ["bees dance", "bees eat"])
        await index.put({
          ...bees,
          chunks: bees.chunks.map((c) => ({ ...c, metadata: { ...c.metadata, title: "Bees" } })),
        })
        await index.put(documentOf("clip", ["spoken"], { id: "c", kind: "clip" }))
        const files = await index.listFiles()
        expect(files.map((d) => [d.source, d.title, d.chunks])).toEqual([
          ["/a.txt", "Bees", 2],
          ["/b.txt", null, 1],
        ])
        const found = await index.getFile(files[0]!.id)
        expect(found?.document).toEqual(files[0])
        expect(found?.chunks.map((c) => [c.ordinal, c.text, c.metadata.page])).toEqual([
          [0, "bees dance", 1],
          [1, "bees eat", 2],
        ])
        const textsOfRange = async (first: number, count: number) =>
          (await index.getFile(files[0]!.id, { first, count }))!.chunks.map((c) => c.text)
        expect([await textsOfRange(1, 5), await textsOfRange(0, 1), await textsOfRange(0, 0)]).toEqual([
          ["bees eat"],
          ["bees dance"],
          [],
        ])
        expect([await index.getFile("c"), await index.getFile("unknown")]).toEqual([null, null])
      }),
    )

    it(
      "keeps chunks, text rows and vectors equal in number through writes, replacements and removals",
      withIndex(async (index) => {
        await index.put(documentOf("/a.txt", ["bees dance", "bees eat", "bees sleep"]))
        await index.put(documentOf("/b.txt", ["tides rise"]))
        expect(await index.getCounts()).toEqual({ documents: 2, chunks: 4, textRows: 4, vectors: 4 })
        await index.put(documentOf("/a.txt", ["wasps sting"]))
        expect(await index.getCounts()).toEqual({ documents: 2, chunks: 2, textRows: 2, vectors: 2 })
        expect(await textsOf(index, ["bees"])).toEqual([])
        expect(await index.remove([uuid5("file:/a.txt"), "unknown"])).toBe(1)
        expect(await index.getCounts()).toEqual({ documents: 1, chunks: 1, textRows: 1, vectors: 1 })
        await index.put(documentOf("/empty.txt", []))
        expect(await index.getCounts()).toMatchObject({ documents: 2, chunks: 1 })
      }),
    )
    it(
      "finds documents by source, and by folder without matching name prefixes",
      withIndex(async (index) => {
        for (const source of ["/d/a.txt", "/d/e/b.txt", "/data/c.txt", "/d%/x.txt"])
          await index.put(documentOf(source, ["x"]))
        expect([...(await index.findBySource("file", ["/d/a.txt", "/nothing"])).values()]).toEqual([
          { id: uuid5("file:/d/a.txt"), kind: "file", source: "/d/a.txt", fingerprint: "x" },
        ])
        expect((await index.findBySource("clip", ["/d/a.txt"])).size).toBe(0)
        expect((await index.listUnderPath("/d")).map((d) => d.source).sort()).toEqual(["/d/a.txt", "/d/e/b.txt"])
        expect((await index.listUnderPath("/data/c.txt")).map((d) => d.source)).toEqual(["/data/c.txt"])
      }),
    )
    it(
      "finds words by stem in text and context, and ranks rare words and frequent matches first",
      withIndex(async (index) => {
        await index.put(
          documentOf("/a.txt", ["bees dancing with bees", "the bees sleep", "nothing here", "more nothing"]),
        )
        expect(await textsOf(index, ["danced", "bee"])).toEqual(["bees dancing with bees", "the bees sleep"])
        await index.put(
          documentOf("/b.txt", [], { chunks: [{ text: "a body", context: "Tides", metadata: {}, vector: unit(0) }] }),
        )
        expect(await textsOf(index, ["tide"])).toEqual(["a body"])
        expect(await index.countChunksWithWords(["bees", "tides", "absent"], { scope: "documents" })).toEqual({
          total: 5,
          counts: [2, 1, 0],
        })
      }),
    )
    it(
      "treats query operators as plain words",
      withIndex(async (index) => {
        await index.put(documentOf("/a.txt", ["plain text near here", "naïve 東京 co-workers"]))
        for (const word of [
          '"',
          "NEAR(",
          "AND",
          "*",
          "^",
          "col:x",
          "'; DROP TABLE documents;--",
          "a\0b",
          "",
          "🎧",
          "-",
        ])
          expect(Array.isArray(await index.searchText(anyOf([word]), files))).toBe(true)
        expect(await textsOf(index, ["near"])).toEqual(["plain text near here"])
        expect(await textsOf(index, ["naive"])).toEqual(["naïve 東京 co-workers"])
        expect(await index.searchText([], files)).toEqual([])
      }),
    )
    it(
      "weights terms, and matches a term of several words as a phrase within one field",
      withIndex(async (index) => {
        const filler = Array.from({ length: 6 }, (_, i) => `filler number ${i}`)
        await index.put(documentOf("/a.txt", ["bees dancing", "tides rising", "dancing then bees", ...filler]))
        const first = async (...terms: SearchTerm[]) => {
          const hits = await index.searchText(terms, files)
          return (await index.getChunks(hits.map((h) => h.row))).map((c) => c.text)
        }
        const word = (text: string, weight: number) => ({ words: [text], weight })
        expect((await first(word("bees", 1), word("tides", 3)))[0]).toBe("tides rising")
        expect((await first(word("bees", 9), word("tides", 1)))[0]).not.toBe("tides rising")
        expect(await first({ words: ["bee", "dance"], weight: 1 })).toEqual(["bees dancing"])
        const once = await index.searchText([word("bees", 1)], files)
        const twice = await index.searchText([word("bees", 2)], files)
        expect(twice.map((h) => h.score / 2)).toEqual(once.map((h) => expect.closeTo(h.score, 9) as number))
        const many = Array.from({ length: 2 * MAX_TERMS }, (_, i) => word(`w${i}`, 1))
        expect(await first(word("bees", 1), ...many)).toHaveLength(2)
      }),
    )
    it(
      "searches the vectors of one model by cosine, including those written after the first search",
      withIndex(async (index) => {
        await index.put(documentOf("/a.txt", ["zero", "one"]))
        await index.put(documentOf("/other.txt", ["other model"], { embedModel: "another" }))
        const near = async () => {
          const hits = await index.searchVectors(MODEL, unit(0.1), files)
          return (await index.getChunks(hits.map((h) => h.row))).map((c) => c.text)
        }
        expect(await near()).toEqual(["zero", "one"])
        await index.put(documentOf("/b.txt", ["new zero"]))
        expect(await near()).toEqual(["zero", "new zero", "one"])
        await index.remove([uuid5("file:/a.txt")])
        expect(await near()).toEqual(["new zero"])
        const [hit] = await index.searchVectors(MODEL, unit(0), files)
        expect(hit!.score).toBeCloseTo(1, 6)
        expect(await index.getVectors(MODEL, [hit!.row, 9999])).toEqual(new Map([[hit!.row, unit(0)]]))
      }),
    )
    it(
      "returns the words of chunks that were stored with them",
      withIndex(async (index) => {
        const spoken = ["the bees dance", "and eat"].map((text, chunk) => ({
          text,
          context: "",
          metadata: { start_s: 60 * chunk, end_s: 60 * chunk + 2 },
          words: text.split(" ").map((word, i) => ({
            word,
            start: 60 * chunk + i / 4,
            end: 60 * chunk + i / 4 + 0.2,
            speaker: `${i % 2}`,
          })),
          vector: unit(chunk),
        }))
        await index.put(documentOf("clip-1", [], { kind: "clip", id: "c", chunks: spoken }))
        await index.put(documentOf("/a.txt", ["bees in a file"]))
        const rows = (await index.searchText(anyOf(["bees", "eat"]), { scope: "all", limit: 10 })).map((h) => h.row)
        expect(rows).toHaveLength(3)
        const chunks = (await index.getChunks(rows)).filter(({ kind }) => kind === "clip")
        expect(await index.getWords([...rows, 9999])).toEqual(
          new Map(chunks.map(({ row, ordinal }) => [row, spoken[ordinal]!.words])),
        )
        expect(chunks.map(({ metadata }) => Object.keys(metadata).sort())).toEqual([
          ["end_s", "source", "start_s"],
          ["end_s", "source", "start_s"],
        ])
        await index.remove(["c"])
        expect(await index.getWords(rows)).toEqual(new Map())
      }),
    )
    it(
      "restricts a search to files or clips by scope",
      withIndex(async (index) => {
        await index.put(documentOf("/a.txt", ["bees in a file"]))
        await index.put(documentOf("clip-1", ["bees in a clip"], { kind: "clip", id: "c" }))
        expect(await textsOf(index, ["bees"], "documents")).toEqual(["bees in a file"])
        expect(await textsOf(index, ["bees"], "clips")).toEqual(["bees in a clip"])
        expect(await textsOf(index, ["bees"], "all")).toHaveLength(2)
        expect(await index.searchVectors(MODEL, unit(0), { scope: "clips", limit: 5 })).toHaveLength(1)
        const [hit] = await index.searchText(anyOf(["clip"]), { scope: "clips", limit: 5 })
        expect((await index.getChunks([hit!.row]))[0]).toMatchObject({
          metadata: { source: "clip-1", page: 1 },
          ordinal: 0,
        })
      }),
    )
  })
