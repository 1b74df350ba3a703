import type { PoolClient } from "pg"

/** The extension's limit for indexed vectors. */
const MAX_INDEXED_DIMENSIONS = 2_000

export type Pgvector = { canIndex(dimensions: number): boolean }

/**
 * Creates the pgvector extension and the table of vectors. They are not part of the migrations, because the extension may
 * be installed, or disappear with a move to another server, at any time.
 * @returns null if the server lacks the extension or this user may not create it
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
    return { canIndex: (dimensions) => dimensions <= MAX_INDEXED_DIMENSIONS }
  } catch (error) {
    await client.query("rollback")
    if ((error as { code?: string }).code === "42501") return null
    throw error
  }
}
