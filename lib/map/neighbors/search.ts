import { openSieve, type Sieve } from "./pair-filter.ts"
import { BLOCK, openPairs, type Pairs, RECORD, ROWS, UNIT } from "./pairs.ts"
import { Shortlists } from "./shortlists.ts"
import { PANEL } from "./simd.ts"

/** More than the layout and the edges need: with as many the clustering, too, hardly searches any more. */
export const NEIGHBOURS = 24
/** More candidates than neighbours: a product of 16-bit numbers may put near equals in the wrong order. */
const SPARE = 6

/** Candidates of every row in no order, [n × width]; −1 where there are fewer. Their similarities only compare. */
export type Candidates = { readonly indices: Int32Array; readonly similarities: Float32Array }

/** From so many rows on it pays to look for a sieve. */
const SIEVE_FROM = 6000
/** What rounding to 16 bits may take from a bound, in units of a similarity. */
const SLACK = 1e-3
/** Panels between two looks at how near the rows of a block want others to be by now. */
const OFTEN = 16

/** A search through all pairs by several threads, on memory that they share. */
export type Search = {
  readonly width: number
  readonly found: readonly Candidates[]
  /** Blocks of rows that have been taken, of the first pass and of the second. */
  readonly next: Int32Array
  readonly sieve: Sieve | null
  /** With a sieve: what a product with a row must reach, as far as the threads have told each other. */
  readonly gates: Float32Array
}

export type Rows = { readonly vectors: Float32Array; readonly n: number; readonly dims: number }

export const capped = (k: number, n: number): number => Math.max(0, Math.min(k, n - 1))
const shared = (numbers: number): SharedArrayBuffer => new SharedArrayBuffer(4 * numbers)

/** @param parts threads. @param sieveFrom least number of rows for a sieve. */
export const openSearch = ({ vectors, n, dims }: Rows, parts = 1, k = NEIGHBOURS, sieveFrom = SIEVE_FROM): Search => {
  const width = capped(k + SPARE, n)
  const found = Array.from({ length: parts }, () => ({
    indices: new Int32Array(shared(n * width)),
    similarities: new Float32Array(shared(n * width)),
  }))
  const sieve = n >= sieveFrom ? openSieve(vectors, { n, dims, width }) : null
  const gates = new Float32Array(shared(sieve ? n : 0)).fill(Number.NEGATIVE_INFINITY)
  return { width, found, next: new Int32Array(shared(2)), sieve, gates }
}

/**
 * One thread's part of a search: nearest neighbours among all pairs by cosine, each computed at most once, in tiles that
 * stay in the cache, over 16-bit integers; each thread takes the next block of rows. Without a sieve that is n²·dims/2
 * multiplications over all threads. Each thread has a copy of the vectors in half their size.
 *
 * @param vectors n × dims, rows of unit length.
 */
export const searchPairs = ({ vectors, n, dims }: Rows, search: Search, part = 0): void => {
  const { width, found, sieve } = search
  if (width === 0) return
  const pairs = openPairs(vectors, n, dims, sieve?.order)
  const lists = new Shortlists(n, width, pairs.gates)
  const task = { n, pairs, lists, search }
  if (sieve) bySieve(task, sieve)
  else inFull(task)
  lists.into(found[part]!.indices, found[part]!.similarities, sieve?.order)
}

type Task = { readonly n: number; readonly pairs: Pairs; readonly lists: Shortlists; readonly search: Search }

/** Blocks that no thread has taken in a pass; a block has pairs with all rows before it, so the longest come first. */
function* blocksOf({ n, search }: Task, pass: 0 | 1) {
  const blocks = Math.ceil(n / BLOCK)
  for (;;) {
    const block = blocks - 1 - Atomics.add(search.next, pass, 1)
    if (block < 0) return
    const from = block * BLOCK
    yield { from, to: Math.min(from + BLOCK, n) }
  }
}

const inFull = (task: Task): void => {
  const { pairs } = task
  for (const { from, to } of blocksOf(task, 0)) {
    for (let first = 0; first < from; first += PANEL) add(task, pairs.run(first / PANEL, from, to), first)
    within(task, from, to)
  }
}

/** Pairs of rows of one block. */
const within = (task: Task, from: number, to: number): void => {
  for (let first = from; first < to; first += PANEL)
    add(task, task.pairs.run(first / PANEL, first - (first % ROWS), to), first)
}

/**
 * At first each block with itself: it holds like rows, so that afterwards it is known how near others have to be. Then
 * with all rows before it, by the sieve, and what passes in full.
 */
const bySieve = (task: Task, { order, narrow, dims }: Sieve): void => {
  const { n, pairs, lists, search } = task
  for (const { from, to } of blocksOf(task, 0)) {
    within(task, from, to)
    lists.select(from, to)
    search.gates.set(pairs.gates.subarray(from, to), from)
  }
  const sieve = openPairs(narrow, n, dims, order)
  const lower = (from: number, to: number) => {
    for (let i = from; i < to; i++) sieve.gates[i] = pairs.gates[i]! - SLACK * UNIT
  }
  for (const { from, to } of blocksOf(task, 1)) {
    for (let i = 0; i < to; i++) pairs.gates[i] = Math.max(pairs.gates[i]!, search.gates[i]!)
    // Rows before the block are the more like its own the nearer they are.
    for (let first = from - PANEL; first >= 0; first -= PANEL) {
      if (first % (OFTEN * PANEL) === 0) lower(from, to)
      lower(first, first + PANEL)
      const passed = sieve.run(first / PANEL, from, to)
      for (let r = 0; r < passed; r++) {
        const row = sieve.rowOf[r * RECORD]!
        add(task, pairs.run(first / PANEL, row, Math.min(row + ROWS, to)), first)
      }
    }
    lists.select(from, to)
    for (let i = 0; i < to; i++) search.gates[i] = Math.max(pairs.gates[i]!, search.gates[i]!)
  }
}

/** Each pair i < j of the records for both of its ends. */
const add = ({ n, pairs, lists, search }: Task, count: number, first: number): void => {
  const { gates, records, rowOf } = pairs
  const order = search.sieve?.order
  for (let at = 0; at < count * RECORD; at += RECORD)
    for (let j = rowOf[at]!, end = Math.min(j + ROWS, n), lane = 0; j < end; j++, lane++)
      for (let i = first, e = at + 4 + 16 * (lane >> 2) + (lane & 3); i < Math.min(first + PANEL, j); i++, e += 4) {
        const similarity = records[e]!
        if (similarity >= gates[i]!) lists.add(i, order ? order[j]! : j, similarity)
        if (similarity >= gates[j]!) lists.add(j, order ? order[i]! : i, similarity)
      }
}
