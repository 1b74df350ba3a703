import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, describe, expect, it } from "vitest"
import { loadConfig } from "#lib/config.ts"
import { split } from "#lib/documents/split.ts"
import { createLogger } from "#lib/logger.ts"
import { packageRoot } from "#lib/package-root.ts"
import { openNode } from "#lib/services/open-node.ts"

const FILES = 200
const KILLS = 20

/** Texts of one length, so that each is split into as many chunks. */
const textOf = (i: number): string => {
  const file = String(i).padStart(3, "0")
  return Array.from({ length: 160 }, (_, s) => `Sentence ${s} of file ${file} tells of bees and tides.`).join(" ")
}

const dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-ingest-kill-")))
const docs = join(dir, "docs")
const env = {
  SERVICE_DATA_DIR: join(dir, "data"),
  SERVICE_INGEST_ROOTS: dir,
  SERVICE_PROVIDER: "builtin",
  SERVICE_MODELS_OFFLINE: "true",
}
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** The built command line, as people run it. */
const ingest = () => {
  const entry = join(packageRoot(), "dist/cli.js")
  if (!existsSync(entry)) throw new Error("this test runs the built command line: npm run build first")
  const child = spawn(process.execPath, [entry, "ingest", docs], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as unknown as NodeJS.ProcessEnv,
  })
  let output = ""
  child.stdout.on("data", (d: Buffer) => {
    output += d
  })
  const ended = new Promise<string>((resolve) => child.once("close", () => resolve(output)))
  return { child, ended }
}

const counts = async () => {
  const node = await openNode(loadConfig(env), createLogger("silent", "test"))
  const found = await node.index.counts()
  await node.close()
  return found
}

describe("an ingest that is killed", () => {
  it("leaves whole documents only, and the next one does what is missing", async () => {
    mkdirSync(docs)
    for (let i = 0; i < FILES; i++) writeFileSync(join(docs, `${i}.txt`), textOf(i))
    const { chunkSize, chunkOverlap } = loadConfig(env).documents
    const chunksOfFile = split({ sections: [{ text: textOf(0) }] }, { chunkSize, chunkOverlap }).length
    let kept = 0
    let cut = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = ingest()
      await sleep(350 + 25 * kill)
      child.kill("SIGKILL")
      if ((await ended) === "") cut++
      const { documents, chunks, textRows, vectors } = await counts()
      expect([textRows, vectors]).toEqual([chunks, chunks])
      expect(chunks).toBe(documents * chunksOfFile)
      expect(documents).toBeGreaterThanOrEqual(kept)
      kept = documents
    }
    expect(cut).toBeGreaterThan(0)
    const result = JSON.parse(await ingest().ended)
    expect(result).toMatchObject({ ingested: FILES - kept, unchanged: kept, failed: [] })
    expect((await counts()).documents).toBe(FILES)
  })
})
