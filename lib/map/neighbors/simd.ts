import {
  assemble,
  type Code,
  doWhile,
  f32,
  f32x4,
  get,
  I32,
  i32,
  instantiate,
  type Kernel,
  set,
  tee,
  V128,
  v128,
} from "./wasm.ts"

/** Dot products of many vectors by WebAssembly SIMD, about five times the speed of plain JavaScript. */

const LANES = 4
const UNROLL = 2
const BYTES = 4
const NOTHING = v128.floats(0, 0, 0, 0)

export const PANEL = LANES

const each = (n: number, f: (i: number) => Code): number[] => Array.from({ length: n }, (_, i) => f(i)).flat()
const advance = (local: number, bytes: number): Code => set(local, i32.add(get(local), i32.const(bytes)))
const plusProduct = (sum: number, a: Code, b: Code): Code => set(sum, f32x4.add(get(sum), f32x4.mul(a, b)))
const total = (sum: number): Code =>
  f32.add(
    f32.add(f32x4.lane(get(sum), 0), f32x4.lane(get(sum), 2)),
    f32.add(f32x4.lane(get(sum), 1), f32x4.lane(get(sum), 3)),
  )

/**
 * `tile(panel, others, out, pairs, stride)`: a panel is four query rows interleaved by 16 bytes, so that one pointer
 * walks them; the rows, whose addresses stand at `others`, are taken two at a time (eight accumulators fit the
 * registers; V8 would load more steps ahead and spill them). out[row] holds four sums.
 */
const tileKernel = (): Kernel => {
  const [panel, others, out, pairs, stride, a, end, b1, b2] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const sum = (row: number, query: number) => 9 + row * LANES + query
  const [v0, v1, va] = [17, 18, 19]
  const alongRows = doWhile(
    i32.lessUnsigned(get(b1), get(end)),
    set(v0, v128.load(get(b1))),
    set(v1, v128.load(get(b2))),
    each(LANES, (q) => [
      ...set(va, v128.load(get(a), 16 * q)),
      ...plusProduct(sum(0, q), get(va), get(v0)),
      ...plusProduct(sum(1, q), get(va), get(v1)),
    ]),
    advance(a, 64),
    advance(b1, 16),
    advance(b2, 16),
  )
  const body = doWhile(
    tee(pairs, i32.sub(get(pairs), i32.const(1))),
    set(a, get(panel)),
    set(end, i32.add(tee(b1, i32.load(get(others))), get(stride))),
    set(b2, i32.load(get(others), BYTES)),
    each(2 * LANES, (i) => set(sum(0, i), NOTHING)),
    alongRows,
    each(2, (row) => each(LANES, (q) => f32.store(get(out), total(sum(row, q)), 16 * row + BYTES * q))),
    advance(others, 2 * BYTES),
    advance(out, 32),
  )
  return {
    name: "tile",
    params: [I32, I32, I32, I32, I32],
    locals: [
      [4, I32],
      [11, V128],
    ],
    body,
  }
}

/** `list(row, others, out, count, stride)`: one row with each of `count` rows, whose addresses stand at `others`. */
const listKernel = (): Kernel => {
  const [row, others, out, count, stride, a, b, end] = [0, 1, 2, 3, 4, 5, 6, 7]
  const [s0, s1] = [8, 9]
  const along = doWhile(
    i32.lessUnsigned(get(a), get(end)),
    plusProduct(s0, v128.load(get(a)), v128.load(get(b))),
    plusProduct(s1, v128.load(get(a), 16), v128.load(get(b), 16)),
    advance(a, 16 * UNROLL),
    advance(b, 16 * UNROLL),
  )
  const body = doWhile(
    tee(count, i32.sub(get(count), i32.const(1))),
    set(a, get(row)),
    set(end, i32.add(get(row), get(stride))),
    set(b, i32.load(get(others))),
    set(s0, NOTHING),
    set(s1, NOTHING),
    along,
    set(s0, f32x4.add(get(s0), get(s1))),
    f32.store(get(out), total(s0)),
    advance(others, BYTES),
    advance(out, BYTES),
  )
  return {
    name: "list",
    params: [I32, I32, I32, I32, I32],
    locals: [
      [3, I32],
      [2, V128],
    ],
    body,
  }
}

type Dots = (row: number, others: number, out: number, count: number, stride: number) => void
let compiled: WebAssembly.Module | null = null
const open = (bytes: number) => {
  compiled ??= assemble([tileKernel(), listKernel()])
  return instantiate<{ readonly tile: Dots; readonly list: Dots }>(compiled, bytes)
}

/** Floats that a row takes: whole steps of the kernels, the rest zeros. */
const strideOf = (dims: number): number => Math.max(1, Math.ceil(dims / (LANES * UNROLL))) * LANES * UNROLL

/** Queries against blocks of rows; the sum of a pair does not depend on which side its vectors stand. */
export type DotTiles = {
  /** Rows that a block holds. */
  readonly blockRows: number
  setQuery(slot: number, source: Float32Array, offset: number): void
  setRow(slot: number, source: Float32Array, offset: number): void
  /** Four queries from slot 4·panel on against the block's first `rows` rows: out[4·row + query], valid until the next call. */
  run(panel: number, rows: number): Float32Array
}

/** @param queries how many query slots there are. */
export const openDotTiles = (dims: number, queries: number, blockRows = 128): DotTiles => {
  const stride = strideOf(dims)
  const panels = Math.ceil(queries / LANES)
  const rowsAt = panels * LANES * stride
  const addressesAt = rowsAt + blockRows * stride
  const outAt = addressesAt + blockRows
  const { buffer, run } = open((outAt + blockRows * LANES) * BYTES)
  const heap = new Float32Array(buffer)
  const out = heap.subarray(outAt, outAt + blockRows * LANES)
  new Int32Array(buffer, addressesAt * BYTES, blockRows).forEach((_, r, at) => {
    at[r] = (rowsAt + r * stride) * BYTES
  })
  return {
    blockRows,
    setQuery: (slot, source, offset) => interleave(heap, slot, stride, source, offset, dims),
    setRow: (slot, source, offset) => heap.set(source.subarray(offset, offset + dims), rowsAt + slot * stride),
    run: (panel, rows) => {
      run.tile(panel * LANES * stride * BYTES, addressesAt * BYTES, outAt * BYTES, Math.ceil(rows / 2), stride * BYTES)
      return out
    },
  }
}

/** All products of rows of a with rows of b: rows of a × rows of b, row by row. */
export const products = (a: Float32Array, b: Float32Array, dims: number): Float32Array => {
  const [rows, queries] = [a.length / dims, b.length / dims]
  const tiles = openDotTiles(dims, queries)
  const out = new Float32Array(rows * queries)
  for (let q = 0; q < queries; q++) tiles.setQuery(q, b, q * dims)
  for (let from = 0; from < rows; from += tiles.blockRows) {
    const count = Math.min(tiles.blockRows, rows - from)
    for (let r = 0; r < count; r++) tiles.setRow(r, a, (from + r) * dims)
    for (let first = 0; first < queries; first += PANEL) {
      const dots = tiles.run(first / PANEL, count)
      const last = Math.min(PANEL, queries - first)
      for (let r = 0; r < count; r++)
        for (let q = 0; q < last; q++) out[(from + r) * queries + first + q] = dots[PANEL * r + q]!
    }
  }
  return out
}

/** A row into its place among the four of a panel: `heap` begins with the panels. */
const interleave = (
  heap: Float32Array,
  slot: number,
  stride: number,
  source: Float32Array,
  offset: number,
  dims: number,
): void => {
  let at = (slot - (slot % LANES)) * stride + (slot % LANES) * LANES
  for (let i = 0; i < dims; i++) {
    heap[at + (i & 3)] = source[offset + i]!
    if ((i & 3) === 3) at += LANES * LANES
  }
}

/** Rows that are asked for by number: row r begins at `heap[r · stride]`, and may be written there. */
export type DotRows = {
  readonly heap: Float32Array
  readonly stride: number
  /** Numbers of rows to multiply with, written by the caller before a run. */
  readonly others: Int32Array
  /** The row with the first `count` of `others`; valid until the next call. */
  run(row: number, count: number): Float32Array
  /** Makes a row the one in a slot of the panels, as it is now. */
  setQuery(slot: number, row: number): void
  /** The four rows of slots 4·panel on with the first `count` of `others`: out[4·other + slot mod 4]; valid until the next call. */
  runPanel(panel: number, count: number): Float32Array
}

/** @param vectors rows × dims, copied. @param most how many others one call may have. @param slots of rows in panels. */
export const openDotRows = (vectors: Float32Array, rows: number, dims: number, most: number, slots = 0): DotRows => {
  const stride = strideOf(dims)
  const panelsAt = rows * stride
  const panels = Math.ceil(slots / LANES)
  const addressesAt = panelsAt + panels * LANES * stride
  // One more, for the last of an odd number has company.
  const outAt = addressesAt + most + 1
  const { buffer, run } = open((outAt + (most + 1) * (panels > 0 ? LANES : 1)) * BYTES)
  const heap = new Float32Array(buffer)
  const addresses = new Int32Array(buffer, addressesAt * BYTES, most + 1)
  const others = new Int32Array(most)
  const out = heap.subarray(outAt)
  const ofPanels = heap.subarray(panelsAt)
  if (stride === dims) heap.set(vectors.subarray(0, rows * dims))
  else for (let r = 0; r < rows; r++) heap.set(vectors.subarray(r * dims, (r + 1) * dims), r * stride)
  const address = (count: number) => {
    for (let i = 0; i < count; i++) addresses[i] = others[i]! * stride * BYTES
    if (count > 0) addresses[count] = addresses[count - 1]!
  }
  return {
    heap,
    stride,
    others,
    run: (row, count) => {
      address(count)
      if (count > 0) run.list(row * stride * BYTES, addressesAt * BYTES, outAt * BYTES, count, stride * BYTES)
      return out
    },
    setQuery: (slot, row) => interleave(ofPanels, slot, stride, heap, row * stride, dims),
    runPanel: (panel, count) => {
      address(count)
      const at = (panelsAt + panel * LANES * stride) * BYTES
      if (count > 0) run.tile(at, addressesAt * BYTES, outAt * BYTES, Math.ceil(count / 2), stride * BYTES)
      return out
    },
  }
}
