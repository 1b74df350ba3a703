import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, resolve } from "node:path"
import { parseArgs } from "node:util"
import { findSentenceModel } from "#lib/engines/embedding/onnx/model-settings.ts"
import { loadSentenceEncoder } from "#lib/engines/embedding/onnx/sentence-encoder.ts"
import { findModel } from "#lib/engines/models/catalog.ts"
import { median, printResult, round } from "../report.ts"

const CHUNK_WORDS = 120

/** Returns texts of about the length of a chunk, from the changelog. */
const readTexts = (count: number): string[] => {
  const words = readFileSync("CHANGELOG.md", "utf8").split(/\s+/)
  return Array.from({ length: count }, (_, i) => {
    const from = (i * CHUNK_WORDS) % (words.length - CHUNK_WORDS)
    return words.slice(from, from + CHUNK_WORDS).join(" ")
  })
}

/** Measures how fast a sentence model embeds, and its memory: `--model FOLDER [--texts N] [--threads N]`. */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: "string" },
      texts: { type: "string", default: "100" },
      threads: { type: "string", default: String(availableParallelism()) },
    },
  })
  if (!values.model) throw new Error("Name the folder of a model: npm run bench -- embedding --model FOLDER")
  const folder = resolve(values.model)
  const started = performance.now()
  const files = await findSentenceModel(folder, findModel(basename(folder))?.sentence ?? null)
  const encoder = await loadSentenceEncoder(files, Number(values.threads))
  const load_ms = Math.round(performance.now() - started)
  const texts = readTexts(Number(values.texts))
  await encoder.encode(texts[0]!, "document")
  const tokens = texts.map((text) => encoder.tokenize(text, "document").length)
  const before = process.cpuUsage()
  const begun = performance.now()
  for (const text of texts) await encoder.encode(text, "document")
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(before)
  printResult({
    bench: "embedding",
    model: basename(folder),
    texts: texts.length,
    tokens: median(tokens),
    load_ms,
    texts_per_second: round(texts.length / seconds, 1),
    cpu_ms_per_text: round((user + system) / 1000 / texts.length, 1),
    peak_mb: Math.round(process.resourceUsage().maxRSS / 1024),
  })
}
