import {
  assemble,
  type Code,
  doWhile,
  f32x4,
  get,
  I32,
  i32,
  i32x4,
  instantiate,
  type Kernel,
  set,
  V128,
  v128,
  when,
} from "./wasm.ts"

/** Rows that are packed together, one lane each. */
const GROUP = 4
/** Groups that one step takes beside four queries: eight sums, which with their factors just fit the registers. */
const GROUPS = 2
/** Rows of a record. */
export const ROWS = GROUP * GROUPS
/** A record of what was found: number of the first row, three unused, then 4 · 8 products. */
export const RECORD = GROUP + GROUP * ROWS
const BYTES = 4
/** Numbers of a unit vector as 16-bit integers: a product of two such vectors fits 32 bits. */
const WHOLE = 32_767
/** The product of a unit vector with itself. */
export const UNIT = WHOLE ** 2
/** Rows that one run takes at most: with four queries they stay in the cache. */
export const BLOCK = 256
/** Where the kernel leaves the end of its records. */
const END_AT = 0
const DATA_AT = 16

const each = (n: number, f: (i: number) => Code): number[] => Array.from({ length: n }, (_, i) => f(i)).flat()
const advance = (local: number, by: number): Code => set(local, i32.add(get(local), i32.const(by)))

/**
 * `sift(queries, rows, queryGates, rowGates, out, first, end)`: four packed queries against packed rows, eight at a
 * time. Where any product reaches the lower of its two gates all 32 are written to `out`. Two numbers of each of four
 * rows fill a register, so a multiplication with two numbers of a query, in every lane, adds to four sums at once.
 */
const siftKernel = (groupBytes: number): Kernel => {
  const [queries, rows, queryGates, rowGates, out, first, end, a, b, last] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  const sum = (group: number, query: number) => 10 + group * GROUP + query
  const [v0, v1, factor, hit] = [18, 19, 20, 21]
  const plus = (into: number, v: number): Code => set(into, i32x4.add(get(into), i32x4.dotOfPairs(get(factor), get(v))))
  // One step a round: unrolled, V8 loads everything first and spills the sums.
  const along = doWhile(
    i32.lessUnsigned(get(b), get(last)),
    set(v0, v128.load(get(b))),
    set(v1, v128.load(get(b), groupBytes)),
    each(GROUP, (q) => [
      ...set(factor, v128.loadSplat(get(a), BYTES * q)),
      ...plus(sum(0, q), v0),
      ...plus(sum(1, q), v1),
    ]),
    advance(a, 16),
    advance(b, 16),
  )
  const reaches = (group: number, query: number, gates: number): Code => [
    ...set(sum(group, query), f32x4.convert(get(sum(group, query)))),
    ...set(
      hit,
      v128.or(
        get(hit),
        f32x4.notBelow(
          get(sum(group, query)),
          f32x4.lesser(get(gates), v128.loadSplat(get(queryGates), BYTES * query)),
        ),
      ),
    ),
  ]
  const record = when(
    v128.anyTrue(get(hit)),
    i32.store(get(out), get(first)),
    each(GROUPS, (g) => each(GROUP, (q) => v128.store(get(out), get(sum(g, q)), 16 * (1 + g * GROUP + q)))),
    advance(out, RECORD * BYTES),
  )
  const body = [
    ...doWhile(
      i32.lessUnsigned(get(first), get(end)),
      set(a, get(queries)),
      set(b, get(rows)),
      set(last, i32.add(get(rows), i32.const(groupBytes))),
      each(GROUP * GROUPS, (i) => set(sum(0, i), v128.ints(0))),
      along,
      set(hit, v128.ints(0)),
      set(v0, v128.load(get(rowGates))),
      set(v1, v128.load(get(rowGates), 16)),
      each(GROUP, (q) => [...reaches(0, q, v0), ...reaches(1, q, v1)]),
      record,
      advance(first, ROWS),
      advance(rows, GROUPS * groupBytes),
      advance(rowGates, 16 * GROUPS),
    ),
    ...i32.store(i32.const(END_AT), get(out)),
  ]
  return {
    name: "sift",
    params: [I32, I32, I32, I32, I32, I32, I32],
    locals: [
      [3, I32],
      [12, V128],
    ],
    body,
  }
}

type Sift = (
  queries: number,
  rows: number,
  queryGates: number,
  rowGates: number,
  out: number,
  first: number,
  end: number,
) => void
const compiled = new Map<number, WebAssembly.Module>()

/**
 * All rows against each other, four by eight: rows × dims of at most unit length, held as 16-bit integers, which moves a
 * product by some hundred-thousandths. A product of 1 is UNIT.
 */
export type Pairs = {
  /** What a product with a row must reach to be reported, minus infinity at first. The caller may write there at any time. */
  readonly gates: Float32Array
  /** Rows from 4·panel on against rows `from`, a multiple of ROWS, to `to`, at most BLOCK of them. @returns how many records. */
  run(panel: number, from: number, to: number): number
  /** The records, RECORD numbers each: the product of the panel's row q and the record's row r is at `4 + 16·(r ≫ 2) + 4·q + (r & 3)`. */
  readonly records: Float32Array
  /** The same numbers as integers: the first is the record's first row. */
  readonly rowOf: Int32Array
}

/** @param vectors rows × dims, copied. @param order the rows as they are numbered here, if otherwise than there. */
export const openPairs = (vectors: Float32Array, rows: number, dims: number, order?: Int32Array): Pairs => {
  const stride = Math.max(1, Math.ceil(dims / 2)) * 2
  const groupBytes = stride * GROUP * Int16Array.BYTES_PER_ELEMENT
  const room = Math.ceil(rows / ROWS) * ROWS
  const gatesAt = DATA_AT + (room / GROUP) * groupBytes
  const outAt = gatesAt + room * BYTES
  const length = (BLOCK / ROWS) * RECORD
  const module = compiled.get(groupBytes) ?? assemble([siftKernel(groupBytes)])
  compiled.set(groupBytes, module)
  const { buffer, run } = instantiate<{ readonly sift: Sift }>(module, outAt + length * BYTES)
  const heap = new Int16Array(buffer, DATA_AT)
  for (let r = 0; r < rows; r++) {
    const from = (order ? order[r]! : r) * dims
    pack(heap, (r >> 2) * (groupBytes / 2) + 2 * (r & 3), vectors, from, from + dims)
  }
  // Rows that are there only to fill a group never reach a gate of their own.
  const gates = new Float32Array(buffer, gatesAt, room).fill(Number.POSITIVE_INFINITY, rows)
  gates.fill(Number.NEGATIVE_INFINITY, 0, rows)
  const state = new Int32Array(buffer, END_AT, 1)
  return {
    gates,
    records: new Float32Array(buffer, outAt, length),
    rowOf: new Int32Array(buffer, outAt, length),
    run: (panel, from, to) => {
      const address = (row: number) => DATA_AT + (row / GROUP) * groupBytes
      const gate = (row: number) => gatesAt + row * BYTES
      const query = panel * GROUP
      run.sift(address(query), address(from), gate(query), gate(from), outAt, from, to)
      return (state[0]! - outAt) / (RECORD * BYTES)
    },
  }
}

/** Numbers 2p and 2p + 1 of a row stand together, 8 numbers from the next such two. */
const pack = (heap: Int16Array, to: number, vectors: Float32Array, from: number, end: number): void => {
  let at = to
  let d = from
  for (; d + 1 < end; d += 2, at += 2 * GROUP) {
    heap[at] = whole(vectors[d]!)
    heap[at + 1] = whole(vectors[d + 1]!)
  }
  if (d < end) heap[at] = whole(vectors[d]!)
}

/** To the nearest integer, of −1 to 1; several times as fast as Math.round. */
const whole = (x: number): number => ((x * WHOLE + (WHOLE + 0.5)) | 0) - WHOLE
