import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { WordSpan } from "../domain/transcript/words.ts"
import { splitTranscript } from "./clip-chunks.ts"
import { readFileInside, toReadError } from "./read.ts"
import { chunkEmbeddingText, splitDocument } from "./split.ts"
import type { Section } from "./types.ts"
import { resolveRoots, walkDocuments } from "./walk.ts"

const split = (sections: readonly Section[], chunkSize: number, chunkOverlap = 0) =>
  [...splitDocument({ sections }, { chunkSize, chunkOverlap })].map(({ text }) => text)

describe("the chunks of a document", () => {
  it("are filled up to their size", () => {
    expect(split([{ text: "One. Two. Six." }], 9)).toEqual(["One. Two.", "Six."])
    expect(split([{ text: "One. Two. Six." }], 8)).toEqual(["One.", "Two.", "Six."])
    expect(
      split(
        [
          { text: "One.", page: 1 },
          { text: "Two.", page: 1 },
        ],
        10,
      ),
    ).toEqual(["One.\n\nTwo."])
    expect(
      split(
        [
          { text: "One.", page: 1 },
          { text: "Two.", page: 1 },
        ],
        9,
      ),
    ).toEqual(["One.", "Two."])
    expect(
      split(
        [
          { text: "a", lines: true },
          { text: "b", lines: true },
        ],
        3,
      ),
    ).toEqual(["a\nb"])
  })

  it("repeat whole units of the one before, up to the overlap", () => {
    const text = "One. Two. Six. Ten."
    expect(split([{ text }], 14, 4)).toEqual(["One. Two. Six.", "Six. Ten."])
    expect(split([{ text }], 14, 3)).toEqual(["One. Two. Six.", "Ten."])
    expect(split([{ text }], 14, 9)).toEqual(["One. Two. Six.", "Two. Six. Ten."])
    expect(split([{ text }], 9, 9)).toEqual(["One. Two.", "Two. Six.", "Six. Ten."])
    const sections = [
      { text: "One. Two.", heading: "A" },
      { text: "Six.", heading: "B" },
    ]
    expect(split(sections, 11, 5)).toEqual(["One. Two.", "Six."])
  })

  it("begin at a heading, unless the one before is less than a quarter full", () => {
    const sections = [
      { text: "One two.", heading: "A" },
      { text: "Six.", heading: "B" },
    ]
    expect(split(sections, 31)).toEqual(["One two.", "Six."])
    expect(split(sections, 32)).toEqual(["One two.\n\nSix."])
  })

  it("divide long units at white space, or else between characters", () => {
    expect(split([{ text: "aaaa bbbb cccc dddd" }], 10)).toEqual(["aaaa bbbb", "cccc dddd"])
    expect(split([{ text: "a bbbbbbbbbbbbbb" }], 10)).toEqual(["a bbbbbbbb", "bbbbbb"])
    expect(split([{ text: "🎧".repeat(7) }], 5)).toEqual(["🎧🎧", "🎧🎧", "🎧🎧", "🎧"])
    expect(split([{ text: "row one\n\nrow two", lines: true }], 8)).toEqual(["row one", "row two"])
  })

  it("have the position of their first and the end of their last section", () => {
    const sections = [
      { text: "One.", heading: "A", page: 3, start_s: 1, end_s: 2 },
      { text: "Two.", heading: "A", page: 3, start_s: 5, end_s: 6 },
    ]
    const [chunk] = splitDocument({ title: "T", sections }, { chunkSize: 100, chunkOverlap: 0 })
    expect(chunk!.metadata).toEqual({ title: "T", heading: "A", page: 3, start_s: 1, end_s: 6 })
    const [bare] = splitDocument({ sections: [{ text: " One. " }] }, { chunkSize: 100, chunkOverlap: 0 })
    expect(bare).toEqual({ text: "One.", context: "", metadata: {} })
  })

  it("are embedded after the title and the heading that they do not contain", () => {
    const embed = (text: string, context: string) => chunkEmbeddingText({ text, context, metadata: {} })
    expect(embed("Bees dance.", "Bees\nFood")).toBe("Food\nBees dance.")
    expect(embed("They dance.", "Bees\nFood")).toBe("Bees\nFood\nThey dance.")
    expect(embed("They dance.", "")).toBe("They dance.")
  })
})

describe("the chunks of a recording", () => {
  /** Sentences of a word each, with the given starts and lengths in seconds. */
  const wordsAt = (...times: (readonly [start: number, length?: number, word?: string])[]): WordSpan[] =>
    times.map(([start, length = 1, word = "Word."]) => ({ word, start, end: start + length, speaker: "0" }))
  const chunksOf = (words: WordSpan[], chunkSize = 1000) =>
    splitTranscript({ title: "Talk", transcription: words }, chunkSize).map(({ words }) =>
      words.map(({ start }) => start),
    )

  it("last 90 seconds at most", () => {
    expect(chunksOf(wordsAt([0], [50], [89], [90], [100]))).toEqual([
      [0, 50, 89],
      [90, 100],
    ])
    expect(chunksOf(wordsAt([10], [20, 200], [230]))).toEqual([[10], [20], [230]])
  })

  it("have at most the characters of a chunk, or 700", () => {
    const long = "x".repeat(99)
    const words = wordsAt(...Array.from({ length: 8 }, (_, i) => [i, 0.5, `${long}.`.slice(1)] as const))
    expect(chunksOf(words).map((chunk) => chunk.length)).toEqual([7, 1])
    expect(chunksOf(words, 200).map((chunk) => chunk.length)).toEqual([2, 2, 2, 2])
    expect(chunksOf(words, 199).map((chunk) => chunk.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(chunksOf([])).toEqual([])
  })

  it("have the title, the times and the words", () => {
    const words = wordsAt([3, 9], [4, 1])
    expect(splitTranscript({ title: "Talk", transcription: words }, 1000)).toEqual([
      { text: "Word. Word.", context: "Talk", metadata: { title: "Talk", start_s: 3, end_s: 12 }, words },
    ])
  })
})

describe("the documents of a folder", () => {
  let dir: string
  const at = (...names: string[]) => join(dir, ...names)
  beforeAll(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-walk-")))
    for (const folder of ["root/b", "root/.hidden", "root/node_modules", "root/__pycache__", "out", "root/folder.md"])
      mkdirSync(at(folder), { recursive: true })
    const files = ["root/z.md", "root/a.txt", "root/b/c.md", "root/picture.png", "out/secret.md"]
    for (const name of [...files, "root/.x.md", "root/.hidden/y.md", "root/node_modules/n.md", "root/__pycache__/p.md"])
      writeFileSync(at(name), "text")
    symlinkSync(at("root/b/c.md"), at("root/link.md"))
    symlinkSync(at("out/secret.md"), at("root/secret.md"))
    symlinkSync(at("lost.md"), at("root/lost.md"))
    symlinkSync(at("root/b"), at("root/linked-folder"))
    symlinkSync(at("root/b"), at("root/linked.md"))
  })
  afterAll(() => rmSync(dir, { recursive: true }))

  const walk = async (given: string, seen = new Set<string>()) => {
    const found: unknown[] = []
    for await (const item of walkDocuments(given, at("root"), [at("root")], seen)) {
      const name = item.path.slice(dir.length + 1)
      if ("error" in item) found.push([name, (item.error as { code: string }).code])
      else found.push("skipped" in item ? `${name} skipped` : name)
    }
    return found
  }

  it("are listed by name, without hidden files, and with the errors of links", async () => {
    expect(await walk(".")).toEqual([
      "root/a.txt",
      "root/b/c.md",
      ["root/lost.md", "not_found"],
      "root/picture.png skipped",
      ["root/secret.md", "forbidden"],
      "root/z.md",
    ])
  })

  it("are listed once, also if several paths contain them", async () => {
    const seen = new Set<string>()
    expect(await walk("b", seen)).toEqual(["root/b/c.md"])
    expect(await walk("link.md", seen)).toEqual([])
    expect(await walk("z.md", seen)).toEqual(["root/z.md"])
  })

  it.each([
    ["../out/secret.md", "forbidden"],
    ["lost.md", "not_found"],
    ["b/lost.md", "not_found"],
    ["picture.png", "unsupported_media"],
    ["a\0.txt", "invalid"],
  ])("are not listed for %j", async (path, code) => {
    expect(await walk(path)).toEqual([[expect.any(String), code]])
  })

  it("may be below a root that is a link, or that does not exist yet", async () => {
    symlinkSync(at("root"), at("linked-root"))
    expect(await resolveRoots([at("linked-root"), at("later")])).toEqual([at("root"), at("later")])
    const found: string[] = []
    for await (const { path } of walkDocuments(at("linked-root/z.md"), dir, [at("linked-root")], new Set()))
      found.push(path)
    expect(found).toEqual([at("root/z.md")])
  })

  it("are read whole after they are admitted by their size", async () => {
    const text = "x".repeat(5000)
    writeFileSync(at("root/long.txt"), text)
    writeFileSync(at("root/empty.txt"), "")
    const sizes: number[] = []
    const read = async (name: string) =>
      Buffer.from(
        await readFileInside(at(name), [at("root")], async (size) => {
          sizes.push(size)
        }),
      ).toString()
    expect(await read("root/long.txt")).toBe(text)
    expect(await read("root/empty.txt")).toBe("")
    expect(sizes).toEqual([5000, 0])
    const refused = readFileInside(at("root/a.txt"), [at("root")], () => Promise.reject(new Error("no turn")))
    await expect(refused).rejects.toThrow("no turn")
    await expect(read("root/none.txt")).rejects.toMatchObject({
      code: "not_found",
      message: `no such file: ${at("root/none.txt")}`,
    })
  })

  it.each([
    ["ENOTDIR", "not_found", /^no such file: \/a$/],
    ["EACCES", "forbidden", /permission denied/],
    ["EPERM", "forbidden", /permission denied/],
    ["ELOOP", "invalid", /^Couldn't open \/a: not a regular file/],
    ["ENAMETOOLONG", "invalid", /not a regular file/],
    ["ENXIO", "invalid", /not a regular file/],
    ["EINVAL", "invalid", /not a regular file/],
    ["ERR_INVALID_ARG_VALUE", "invalid", /not a regular file/],
  ])("have the error of %s explained", (code, expected, message) => {
    const cause = Object.assign(new Error(code), { code })
    expect(toReadError(cause, "/a")).toMatchObject({
      code: expected,
      message: expect.stringMatching(message),
      cause,
    })
    const other = Object.assign(new Error("EIO"), { code: "EIO" })
    expect(toReadError(other, "/a")).toBe(other)
    expect(toReadError(cause, `/${"a".repeat(5000)}`)).toMatchObject({
      message: expect.stringMatching(expected === "invalid" ? /^.{1,300}$/s : /./),
    })
  })
})
