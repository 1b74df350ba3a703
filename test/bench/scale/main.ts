import { parseArgs } from "node:util"
import { newId } from "#lib/domain/ids.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openPostgres, type PostgresHandle } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { claim, newJob, resultOf } from "#lib/storage/stores/testing/fixtures.ts"
import { migrationsDir, startPostgres } from "../../fixtures/postgres.ts"
import { median, printResult, round } from "../report.ts"
import { measureRecordingBytes } from "./sizes.ts"

const BATCH_ROWS = 50_000
const QUERY_TIMEOUT_MS = 3_600_000
/** The number of jobs in flight. All other jobs have ended. */
const MAX_IN_FLIGHT = 10_000
const TOPICS = 20
const ROUNDS = 9

const INSERT_JOBS = `
  insert into jobs (id, session_id, title, source, options, status, created_at, started_at, finished_at)
    select 'old-' || n, gen_random_uuid()::text, 'Talk ' || n, '{"kind":"file","path":"/talk.wav"}', '{}',
      case when n % 50 = 0 then 'error' else 'done' end, n, n + 1, n + 2 from generate_series($FROM, $TO) n;
  insert into job_stages (job_id, stage, state, next, joins, max_attempts, attempt, tries, messages, began_at, ended_at)
    select 'old-' || n, s, 'done', '[]', '[]', 3, 1, 1, 1, n, n + 1 from generate_series($FROM, $TO) n,
      unnest(array['whisper','l1','decide','l2','summarize_l1','summarize_l2','l0','persist']) s`

const INSERT_LIBRARY = `
  insert into clips (id, title, duration_s, created_at, tree) select 'clip-' || n, 'Talk ' || n, 1800, n, '{"topics":[]}'
    from generate_series($FROM, $TO) n;
  insert into topics (clip_id, ordinal, level, number, title, summary, start_s, duration_s, hash)
    select 'clip-' || n, t, 2, '1.' || t, 'topic ' || md5(n || '.' || t), 'About ' || md5((n * t)::text), t * 90, 90, md5(n || '/' || t)
    from generate_series($FROM, $TO) n, generate_series(1, ${TOPICS}) t;
  insert into findables (clip_id, kind, text, number, start_s, stems, stem_count)
    select 'clip-' || n, 'title', 'Talk ' || n, null, 0, to_tsvector('simple', 'talk ' || n), 2 from generate_series($FROM, $TO) n;
  insert into findables (clip_id, kind, text, number, start_s, stems, stem_count)
    select 'clip-' || n, 'topic', w, '1.' || t, t * 90, to_tsvector('simple', w), 6 from generate_series($FROM, $TO) n,
      generate_series(1, ${TOPICS}) t, lateral (select 'about subject' || (n * t) % 997 || ' and theme' || (n + t) % 9973 || ' at place' || n) w (w)`

/** Runs an INSERT in batches. $FROM and $TO in `sql` are replaced by the first and last row of each batch. */
const fill = async ({ pool }: PostgresHandle, sql: string, count: number): Promise<void> => {
  for (let from = 1; from <= count; from += BATCH_ROWS) {
    const to = Math.min(count, from + BATCH_ROWS - 1)
    const text = sql.replaceAll("$FROM", String(from)).replaceAll("$TO", String(to))
    const query = { text, query_timeout: QUERY_TIMEOUT_MS } as { text: string }
    await pool.query(query)
  }
}

/** Makes later connections send their query plans as notices, with PostgreSQL's auto_explain. Requires a superuser. */
const enablePlans = async ({ pool, location: place }: PostgresHandle): Promise<void> => {
  const database = place.split("/").at(-1)!
  const settings = { log_min_duration: "0", log_analyze: "on", log_buffers: "on", log_level: "notice" }
  await pool.query(`alter database ${database} set session_preload_libraries = 'auto_explain'`)
  for (const [name, value] of Object.entries(settings))
    await pool.query(`alter database ${database} set auto_explain.${name} = '${value}'`)
}

/**
 * Collects the query plans that the connection of the pool sends.
 * @returns a function that returns the plan of the slowest statement since the last call
 */
const collectPlans = async ({ pool }: PostgresHandle): Promise<() => string> => {
  const plans: { ms: number; text: string }[] = []
  const client = await pool.connect()
  client.on("notice", ({ message = "" }) => {
    const ms = Number(/^duration: ([\d.]+) ms/.exec(message)?.[1] ?? 0)
    if (ms > 0) plans.push({ ms, text: message })
  })
  client.release()
  return () => plans.splice(0).sort((x, y) => y.ms - x.ms)[0]?.text ?? ""
}

/**
 * Measures operations of the store on PostgreSQL with many finished jobs and a large library. docs/scale.md has the
 * results of `--jobs 1000000 --clips 20000`. `--plans` adds EXPLAIN ANALYZE of the slowest statement of each operation.
 * `--url postgres://…` names an empty database. Without it, the bench starts PostgreSQL.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      jobs: { type: "string", default: "1000000" },
      clips: { type: "string", default: "20000" },
      url: { type: "string" },
      plans: { type: "boolean", default: false },
    },
  })
  const [jobs, clips] = [Number(values.jobs), Number(values.clips)]
  const server = values.url === undefined ? await startPostgres() : null
  const url = values.url ?? (await server!.database())
  // A single connection, so that its notices contain the plans of all statements.
  const open = () => openPostgres({ url, migrationsDir, log: createLogger("error", "bench"), maxConnections: 1 })
  try {
    const filled = await open()
    const from = performance.now()
    await fill(filled, INSERT_JOBS, jobs)
    await fill(filled, INSERT_LIBRARY, clips)
    await filled.pool.query({ text: "vacuum analyze", query_timeout: QUERY_TIMEOUT_MS } as { text: string })
    const { rows } = await filled.pool.query("select pg_database_size(current_database()) as bytes")
    const gib = round((rows[0] as { bytes: number }).bytes / 2 ** 30)
    printResult({
      bench: "scale",
      jobs,
      stages: jobs * 8,
      clips,
      topics: clips * TOPICS,
      gib,
      fill_s: round((performance.now() - from) / 1000, 1),
    })
    if (values.plans) await enablePlans(filled)
    await filled.close()

    const handle = await open()
    const takeSlowestPlan = values.plans ? await collectPlans(handle) : null
    const store = openPostgresStore(handle)
    const measure = async (operation: string, work: () => Promise<unknown>, rounds = ROUNDS): Promise<void> => {
      const times: number[] = []
      for (let i = 0; i < rounds; i++) {
        const startedAt = performance.now()
        await work()
        times.push(performance.now() - startedAt)
      }
      const figures = { p50_ms: round(median(times), 1), max_ms: round(Math.max(...times), 1) }
      printResult({ bench: "scale", operation, ...figures, ...(takeSlowestPlan && { plan: takeSlowestPlan() }) })
    }
    await measure("submit a job", () => store.jobs.submit(newJob()))
    const inFlight = Array.from({ length: Math.min(MAX_IN_FLIGHT, jobs) }, () => newId())
    for (const jobId of inFlight) await store.jobs.submit(newJob({ jobId }))
    await measure("list 100 due outbox messages", () => store.outbox.listDue(100))
    for (;;) {
      const due = await store.outbox.listDue(1_000)
      if (due.length === 0) break
      await store.outbox.markPublished(due.map((m) => m.id))
    }
    await measure("list due outbox messages: none", () => store.outbox.listDue(100))
    await measure("claim and complete a stage", async () => {
      await store.stages.complete(await claim(store, inFlight.pop()!, "whisper"), resultOf("whisper"))
    })
    await measure("sweep", () => store.stages.sweep({ leaseMs: 30_000, intervalMs: 5_000 }))
    await measure("age of the oldest waiting stage (readiness, metrics)", () => store.stages.getQueuedSince())
    await measure("count jobs by status (metrics)", () => store.jobs.countByStatus())
    await measure("list the newest 50 jobs", () => store.jobs.list({ limit: 50 }))
    await measure("list the newest 50 failed jobs", () => store.jobs.list({ limit: 50, status: "error" }))
    await measure("list the newest 50 clips", () => store.clips.list({ limit: 50 }))
    await measure("search for a rare word", () => store.library.search({ q: "place77", limit: 20 }))
    await measure("search for two words", () => store.library.search({ q: "subject77 theme105", limit: 20 }))
    await measure(
      "search for a word that occurs in every topic",
      () => store.library.search({ q: "about", limit: 20 }),
      3,
    )
    await measure("read all topics for the map", () => store.map.getSnapshot(), 3)
    await store.close()
    if (server)
      printResult({
        bench: "scale",
        operation: "store a recording of half an hour: bytes per table",
        ...(await measureRecordingBytes(await server.database())),
      })
  } finally {
    await server?.close()
  }
}
