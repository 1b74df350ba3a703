/**
 * Dot products of many vectors by WebAssembly SIMD, about five times the speed of plain JavaScript. The one function
 * that is needed is small enough to be assembled here, so there is no binary to trust and nothing to build.
 */

const LANES = 4
const UNROLL = 2
const F32 = 4

const GET = 0x20
const SET = 0x21
const TEE = 0x22
const V128 = 0x7b
const I32 = 0x7f

const uleb = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uleb(value >>> 7)])
const vector = (items: readonly number[][]): number[] => [...uleb(items.length), ...items.flat()]
const section = (id: number, body: readonly number[]): number[] => [id, ...uleb(body.length), ...body]
const text = (s: string): number[] => [...uleb(s.length), ...Buffer.from(s, "ascii")]

const load = (base: number, offset: number): number[] => [GET, base, 0xfd, 0x00, 0x04, ...uleb(offset)]
const advance = (local: number, bytes: number): number[] => [GET, local, 0x41, ...uleb(bytes), 0x6a, SET, local]
const lane = (local: number, index: number): number[] => [GET, local, 0xfd, 0x1f, index]
const MUL = [0xfd, 0xe6, 0x01]
const ADD = [0xfd, 0xe4, 0x01]
const F32_ADD = 0x92

/**
 * `dots(panel, rows, out, pairs, stride)`: a panel is four query rows interleaved by 16 bytes, so that one pointer walks
 * them; `rows` are plain rows, two at a time (eight accumulators fit the registers). out[row] holds four sums.
 */
const assemble = (): Uint8Array => {
  const [panel, rows, out, pairs, stride, a, end, b2] = [0, 1, 2, 3, 4, 5, 6, 7]
  const acc = (row: number, query: number) => 8 + row * LANES + query
  const [v0, v1, va] = [16, 17, 18]
  const each = (n: number, f: (i: number) => number[]): number[] => Array.from({ length: n }, (_, i) => f(i)).flat()

  const accumulate = (sum: number, by: number): number[] => [GET, sum, GET, va, GET, by, ...MUL, ...ADD, SET, sum]
  const step = (u: number): number[] => [
    ...[...load(rows, 16 * u), SET, v0, ...load(b2, 16 * u), SET, v1],
    ...each(LANES, (q) => [
      ...[...load(a, 64 * u + 16 * q), SET, va],
      ...[...accumulate(acc(0, q), v0), ...accumulate(acc(1, q), v1)],
    ]),
  ]
  const total = (sum: number): number[] => [
    ...[...lane(sum, 0), ...lane(sum, 2), F32_ADD, ...lane(sum, 1), ...lane(sum, 3), F32_ADD, F32_ADD],
  ]
  const store = (row: number, q: number): number[] => [
    ...[GET, out, ...total(acc(row, q)), 0x38, 0x02, ...uleb(16 * row + F32 * q)],
  ]
  const body = [
    ...[0x03, 0x40], // loop over pairs of rows
    ...[GET, panel, SET, a, GET, rows, GET, stride, 0x6a, TEE, end, SET, b2],
    ...each(2 * LANES, (i) => [0xfd, 0x0c, ...Array<number>(16).fill(0), SET, acc(0, i)]),
    ...[0x03, 0x40], // loop along the rows
    ...each(UNROLL, step),
    ...[...advance(a, 64 * UNROLL), ...advance(rows, 16 * UNROLL), ...advance(b2, 16 * UNROLL)],
    ...[GET, rows, GET, end, 0x49, 0x0d, 0, 0x0b], // while rows < end
    ...each(2, (row) => each(LANES, (q) => store(row, q))),
    ...[...advance(out, 32), GET, b2, SET, rows],
    ...[GET, pairs, 0x41, 1, 0x6b, TEE, pairs, 0x0d, 0, 0x0b], // while --pairs
    0x0b,
  ]
  const code = [
    ...vector([
      [3, I32],
      [11, V128],
    ]),
    ...body,
  ]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[0x60, ...vector([[I32], [I32], [I32], [I32], [I32]]), 0]])),
    ...section(2, vector([[...text("env"), ...text("memory"), 0x02, 0x00, 1]])),
    ...section(3, vector([[0]])),
    ...section(7, vector([[...text("dots"), 0x00, 0]])),
    ...section(10, vector([[...uleb(code.length), ...code]])),
  ])
}

type Dots = (panel: number, rows: number, out: number, pairs: number, stride: number) => void
let compiled: WebAssembly.Module | null = null

export const PANEL = LANES

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
  const stride = Math.max(1, Math.ceil(dims / (LANES * UNROLL))) * LANES * UNROLL
  const panels = Math.ceil(queries / LANES)
  const rowsAt = panels * LANES * stride
  const outAt = rowsAt + blockRows * stride
  const bytes = (outAt + blockRows * LANES) * F32
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) })
  compiled ??= new WebAssembly.Module(assemble() as BufferSource)
  const dots = new WebAssembly.Instance(compiled, { env: { memory } }).exports.dots as Dots
  const heap = new Float32Array(memory.buffer)
  const out = heap.subarray(outAt, outAt + blockRows * LANES)
  return {
    blockRows,
    setQuery: (slot, source, offset) => {
      let at = (slot - (slot % LANES)) * stride + (slot % LANES) * LANES
      for (let i = 0; i < dims; i++) {
        heap[at + (i & 3)] = source[offset + i]!
        if ((i & 3) === 3) at += LANES * LANES
      }
    },
    setRow: (slot, source, offset) => heap.set(source.subarray(offset, offset + dims), rowsAt + slot * stride),
    run: (panel, rows) => {
      dots(panel * LANES * stride * F32, rowsAt * F32, outAt * F32, Math.ceil(rows / 2), stride * F32)
      return out
    },
  }
}
