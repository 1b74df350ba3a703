import type { PoolClient } from "pg"

/** What the extension takes into an index. */
const MOST_DIMENSIONS = 2_000

export type Pgvector = { indexable(dimensions: number): boolean }

/**
 * Makes the extension and the table of vectors, where the server has it. The table lives beside the migrations, because
 * the extension may be installed, or taken away by moving the database, at any time.
 * @returns null when the server does not have it, or does not let this user make it
 */
export const preparePgvector = async (client: PoolClient): Promise<Pgvector | null> => {
  const { rows } = await client.query("select name from pg_available_extensions where name = 'vector'")
  if (rows.length === 0) return null
  try {
    await client.query("begin")
    await client.query("select pg_advisory_xact_lock(8370419246114418)")
    await client.query("create extension if not exists vector")
    await client.query(`create table if not exists chunk_vectors (
      chunk_id bigint primary key references document_chunks (id) on delete cascade,
      model text not null, kind text not null, dims integer not null, embedding vector not null)`)
    await client.query("create index if not exists chunk_vectors_model on chunk_vectors (model, dims)")
    await client.query("commit")
    return { indexable: (dimensions) => dimensions <= MOST_DIMENSIONS }
  } catch (error) {
    await client.query("rollback")
    if ((error as { code?: string }).code === "42501") return null
    throw error
  }
}
