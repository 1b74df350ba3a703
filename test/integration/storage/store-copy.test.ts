import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { sha256 } from "#lib/domain/ids.ts"
import type { SearchAnswer } from "#lib/domain/search.ts"
import { topicEmbeddingText } from "#lib/domain/topics/topic-tree.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { openPostgres } from "#lib/storage/database/postgres/open.ts"
import { copyStore } from "#lib/storage/stores/copy/copy.ts"
import type { Store } from "#lib/storage/stores/ports/store.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { openSqliteStore } from "#lib/storage/stores/sqlite/index.ts"
import { documentOf } from "#lib/storage/stores/testing/documents.testsuite.ts"
import { finish, newJob } from "#lib/storage/stores/testing/fixtures.ts"
import { askPostgres, migrationsDir } from "#test/fixtures/postgres.ts"
import { programOf } from "#test/fixtures/programs.ts"
import { openPostgresServer } from "#test/fixtures/shared-servers.ts"

/** Each clip has twenty topics. docs/postgres.md has the results for 1 000 clips. */
const CLIPS = Number(process.env.COPY_CLIPS ?? 100)
const SUBJECTS = ["garden", "rocket", "violin", "database", "harbour", "weather", "kitchen", "railway"]
const log = createLogger("silent", "test")

const unit = (n: number) => Float32Array.from({ length: 64 }, (_, i) => Math.sin((n + 1) * (i + 1)) / Math.sqrt(32))
const sentence = (n: number) =>
  `${SUBJECTS[n % 8]} number ${n} meets the ${SUBJECTS[(n * 3 + 1) % 8]} of ${SUBJECTS[(n * 5 + 2) % 8]}, the ${SUBJECTS[(n * 7 + 3) % 8]}'s well-kept one that can’t be`

/** Fills a library with clips, words, topics, corrections, jobs in every state and documents. */
const fillStore = async (store: Store, onClip: () => void) => {
  for (let n = 0; n < CLIPS; n++) {
    onClip()
    const id = `clip-${n}`
    const words = sentence(n)
      .split(" ")
      // Stored by a version that allowed this character.
      .map((word, i) => ({
        word: n === 3 ? `${word.slice(0, 2)}\0${word.slice(2)}` : word,
        start: i,
        end: i + 1,
        speaker: "0",
      }))
    const columns = { words, duration_s: 60, language: "en", speech_engine: null, whisper_model: null, file_path: null }
    await store.clips.saveTranscript(
      id,
      { title: `Talk ${n} on a ${SUBJECTS[n % 8]}`, source_url: null, file_path: null },
      columns,
    )
    const children = Array.from({ length: 19 }, (_, i) => {
      const about = { title: `${SUBJECTS[(n + i) % 8]} ${n}.${i}`, summary: `${sentence(n + i)}.` }
      return { ...about, start_s: 3 * i, end_s: 3 * i + 3, children: [] }
    })
    const root = { title: `All of ${n}`, summary: sentence(n), start_s: 0, end_s: 57, children }
    const vectors = [root, ...children].map((t, i) => ({
      hash: sha256(topicEmbeddingText(t)),
      vector: unit(20 * n + i),
    }))
    const columnsOfRun = { provider: "builtin", llm_model: null, embed_model: "m" } as const
    await store.topics.save(id, { tree: { topics: [root] }, vectors, ...columnsOfRun })
  }
  for (let n = 0; n < CLIPS / 3; n++) {
    const document = documentOf(
      `/notes/${n}.txt`,
      Array.from({ length: 10 }, (_, i) => `${sentence(10 * n + i)}. A note.`),
    )
    const chunks = document.chunks.map((c, i) => ({ ...c, context: `Notes ${n}`, vector: unit(10 * n + i) }))
    await store.documents.put({ ...document, chunks: chunks.map((c) => ({ ...c, metadata: { title: `Notes ${n}` } })) })
  }
  await store.clips.editWords("clip-1", [{ kind: "text", start_s: 0, end_s: 0.5, words: ["corrected"] }])
  for (let n = 0; n < 5; n++) await store.jobs.submit(newJob({ jobId: `job-${n}`, title: `a\0b ${n}` }))
  await finish(store, "job-0", "whisper", "l1")
  await store.jobs.cancel("job-1")
}

/** Returns everything that users can see of a store. */
const readVisibleState = async (store: Store) => {
  const words = SUBJECTS.flatMap((s, i) => [
    s,
    `${s} number`,
    `meets the ${SUBJECTS[(i + 1) % 8]}`,
    `talk ${i}`,
    `${s}'s`,
  ])
  words.push("can't", "can’t be", "well-kept", "garden't")
  const texts = SUBJECTS.map((s, i) => [s, SUBJECTS[(i + 3) % 8]!, "note"].map((w) => ({ words: [w], weight: 1 })))
  const all = { scope: "all", limit: 10 } as const
  const library: SearchAnswer[] = []
  for (const q of words) library.push(await store.library.search({ q, limit: 20 }))
  return {
    library,
    texts: (await Promise.all(texts.map((terms) => store.documents.searchText(terms, all)))).map((hits) =>
      hits.map(({ row, score }) => [row, score.toFixed(4)]),
    ),
    vectors: (
      await Promise.all([1, 2, 3].map((n) => store.documents.searchVectors("test-embedder", unit(n), all)))
    ).map((hits) => hits.map(({ row, score }) => [row, score.toFixed(5)])),
    map: await store.map.getSnapshot(),
    jobs: (await store.jobs.list({ limit: 50 })).jobs.map((j) => ({ ...j, title: j.title.replaceAll("\0", "") })),
    clip: await store.clips.get("clip-1"),
    edits: await store.clips.listWordEdits("clip-1"),
  }
}

describe("copying a SQLite store to PostgreSQL", () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-copy-"))
  const path = join(dir, "earmark.db")
  let server: Awaited<ReturnType<typeof openPostgresServer>>
  let before: Awaited<ReturnType<typeof readVisibleState>>
  beforeAll(async () => {
    server = await openPostgresServer()
    let time = Date.UTC(2026, 0, 1)
    const store = openSqliteStore(openDatabase({ path, migrationsDir: join(packageRoot(), "drizzle") }), {
      now: () => time,
    })
    await fillStore(store, () => {
      time += 1000
    })
    before = await readVisibleState(store)
    await store.close()
  }, 600_000)
  afterAll(async () => {
    await server.close()
    rmSync(dir, { recursive: true })
  })

  const copy = (url: string, file = path) => {
    const args = [...programOf("cli"), "store", "copy", "--from", `sqlite:${file}`, "--to", url]
    const child = spawn(process.execPath, args, { cwd: packageRoot(), stdio: ["ignore", "pipe", "pipe"] })
    const output = { out: "", err: "" }
    child.stdout.on("data", (d) => {
      output.out += d
    })
    child.stderr.on("data", (d) => {
      output.err += d
    })
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }))
    return { child, ended }
  }
  const topicsIn = async (url: string): Promise<number> => {
    const [row] = await askPostgres(url, "select count(*)::int as n from topics").catch(() => [])
    return (row?.n as number | undefined) ?? 0
  }

  it("resumes after it was killed, and the copy gives the same results", { timeout: 600_000 }, async () => {
    const url = await server.database()
    const first = copy(url)
    await vi.waitFor(async () => expect(await topicsIn(url)).toBeGreaterThan(0), { timeout: 60_000, interval: 5 })
    first.child.kill("SIGKILL")
    await first.ended
    const copiedBefore = await topicsIn(url)

    await expect(openPostgres({ url, migrationsDir, log })).rejects.toThrow(/has not finished.*Run the command again/)
    const otherFile = join(dir, "other.db")
    const other = openSqliteStore(openDatabase({ path: otherFile, migrationsDir: join(packageRoot(), "drizzle") }))
    await other.jobs.submit(newJob({ jobId: "another" }))
    await other.close()
    expect((await copy(url, otherFile).ended).err).toMatch(/unfinished copy of another store/)

    const { code, out, err } = await copy(url).ended
    expect([code, err.includes("differs")]).toEqual([0, false])
    const { tables } = JSON.parse(out) as { tables: { table: string; rows: number; checksum: string }[] }
    expect(Object.fromEntries(tables.map((t) => [t.table, t.rows]))).toMatchObject({
      // One more belongs to the transcribed job.
      clips: CLIPS + 1,
      topics: 20 * CLIPS,
      jobs: 5,
      document_chunks: 10 * Math.ceil(CLIPS / 3),
    })
    expect(await topicsIn(url)).toBe(20 * CLIPS)
    expect(copiedBefore).toBeLessThanOrEqual(20 * CLIPS)

    const store = openPostgresStore(await openPostgres({ url, migrationsDir, log }))
    onTestFinished(() => store.close())
    expect(await readVisibleState(store)).toEqual(before)
    await finish(store, "job-0", "decide")
    await store.documents.put(documentOf("/new.txt", ["new after the copy"]))
    expect((await store.documents.getCounts()).documents).toBe(Math.ceil(CLIPS / 3) + 1)
  })

  it("is rejected while another copy writes to the same database", async () => {
    const url = await server.database()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query("select pg_advisory_lock(8370419246114418)")
    const { code, err } = await copy(url).ended
    expect([code, err]).toEqual([1, expect.stringMatching(/Another 'earmark store copy' is writing to/)])
  })

  it("is rejected if a row is inserted into the source after its table was compared", async () => {
    const file = join(dir, "small.db")
    const from = openDatabase({ path: file, migrationsDir: join(packageRoot(), "drizzle") })
    const writer = openSqliteStore(openDatabase({ path: file, migrationsDir: join(packageRoot(), "drizzle") }))
    await writer.jobs.submit(newJob())
    const url = await server.database()
    const to = await openPostgres({ url, migrationsDir, log, allowUnfinishedCopy: true })
    onTestFinished(async () => {
      from.close()
      await Promise.all([writer.close(), to.close()])
    })
    const copying = copyStore({
      from,
      to,
      onProgress: ({ table, done, total }) => {
        if (table === "compare" && done === total)
          void writer.installation.setChoice("provider", { value: "builtin", reason: "inserted late" })
      },
    })
    await expect(copying).rejects.toThrow(/was written to while it was copied/)
  })

  it("is rejected if a service uses the target, and leaves the source unchanged", async () => {
    const url = await server.database()
    const handle = await openPostgres({ url, migrationsDir, log })
    const store = openPostgresStore(handle)
    onTestFinished(() => store.close())
    // A web process without workers sends no heartbeat. The pool would close a connection that is idle for some seconds.
    const connection = await handle.pool.connect()
    expect((await copy(url).ended).err).toMatch(/Another Earmark process is connected to .*Stop it/)
    connection.release()
    const at = Date.now()
    await store.installation.recordHeartbeat({
      id: "w",
      host: "h",
      pid: 4711,
      version: null,
      stages: [],
      started_at: at,
      active_at: at,
    })
    const { mode, mtimeMs } = statSync(path)
    expect((await copy(url).ended).err).toMatch(/A service is running on .*process 4711/)
    expect(statSync(path)).toMatchObject({ mode, mtimeMs })
  })

  it("is rejected for a foreign target database and a missing source file", async () => {
    const url = await server.database()
    const store = openPostgresStore(await openPostgres({ url, migrationsDir, log }))
    await store.jobs.submit(newJob())
    await store.close()
    const result = await copy(url).ended
    expect([result.code, result.err]).toEqual([1, expect.stringMatching(/already contains clips, jobs or documents/)])
  })
})
