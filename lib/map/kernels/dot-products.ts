import { openKernels } from "./kernels.ts"

/** Query vectors that one call of the panel kernel multiplies. */
export const PANEL = 4
/** Float32 numbers of a register. */
const LANES = 4
/** A vector is padded with zeros to a multiple of this many numbers, which both kernels process in whole steps. */
const STRIDE_MULTIPLE = 8
const BYTES = Float32Array.BYTES_PER_ELEMENT

const paddedLength = (dims: number): number => Math.max(1, Math.ceil(dims / STRIDE_MULTIPLE)) * STRIDE_MULTIPLE

/** Multiplies query vectors with blocks of rows. The product of two vectors is the same whichever is the query. */
export type DotTiles = {
  /** The maximum number of rows of a block. */
  readonly blockRows: number
  setQuery(slot: number, source: Float32Array, offset: number): void
  setRow(slot: number, source: Float32Array, offset: number): void
  /**
   * Multiplies the queries of slots 4 · panel to 4 · panel + 3 with the first `rows` rows of the block.
   *
   * @returns out[4 · row + query], valid until the next call
   */
  run(panel: number, rows: number): Float32Array
}

/**
 * Opens a kernel for `queries` query slots and one block of rows.
 *
 * @param dims length of the vectors
 */
export const openDotTiles = (dims: number, queries: number, blockRows = 128): DotTiles => {
  const stride = paddedLength(dims)
  const panels = Math.ceil(queries / PANEL)
  const rowsAt = panels * PANEL * stride
  const addressesAt = rowsAt + blockRows * stride
  const outAt = addressesAt + blockRows
  const { buffer, kernels } = openKernels((outAt + blockRows * PANEL) * BYTES)
  const heap = new Float32Array(buffer)
  const out = heap.subarray(outAt, outAt + blockRows * PANEL)
  new Int32Array(buffer, addressesAt * BYTES, blockRows).forEach((_, row, addresses) => {
    addresses[row] = (rowsAt + row * stride) * BYTES
  })
  return {
    blockRows,
    setQuery: (slot, source, offset) => interleave(heap, slot, stride, source, offset, dims),
    setRow: (slot, source, offset) => heap.set(source.subarray(offset, offset + dims), rowsAt + slot * stride),
    run: (panel, rows) => {
      const panelAt = panel * PANEL * stride * BYTES
      kernels.multiplyPanel(panelAt, addressesAt * BYTES, outAt * BYTES, Math.ceil(rows / 2), stride * BYTES)
      return out
    },
  }
}

/** Copies a vector into its slot of a panel: four numbers of each of the four vectors alternate. */
const interleave = (
  panels: Float32Array,
  slot: number,
  stride: number,
  source: Float32Array,
  offset: number,
  dims: number,
): void => {
  const lane = slot % PANEL
  let at = (slot - lane) * stride + lane * LANES
  for (let i = 0; i < dims; i++) {
    panels[at + (i & 3)] = source[offset + i]!
    if ((i & 3) === 3) at += LANES * PANEL
  }
}

/** Multiplies rows of one matrix with each other. */
export type DotRows = {
  /** The matrix. Row r begins at `heap[r * stride]` and may be changed there. */
  readonly heap: Float32Array
  readonly stride: number
  /** The numbers of the rows to multiply with. The caller writes them before a run. */
  readonly others: Int32Array
  /** Multiplies a row with the first `count` of `others`. @returns one product per row, valid until the next call */
  run(row: number, count: number): Float32Array
  /** Copies the current numbers of a row into a query slot. */
  setQuery(slot: number, row: number): void
  /**
   * Multiplies the queries of slots 4 · panel to 4 · panel + 3 with the first `count` of `others`.
   *
   * @returns out[4 · other + slot mod 4], valid until the next call
   */
  runPanel(panel: number, count: number): Float32Array
}

/**
 * Opens a kernel over a copy of a matrix.
 *
 * @param vectors rows × dims
 * @param maxOthers the maximum number of rows in one run
 * @param querySlots number of slots for `setQuery`
 */
export const openDotRows = (
  vectors: Float32Array,
  rows: number,
  dims: number,
  maxOthers: number,
  querySlots = 0,
): DotRows => {
  const stride = paddedLength(dims)
  const panelsAt = rows * stride
  const panels = Math.ceil(querySlots / PANEL)
  const addressesAt = panelsAt + panels * PANEL * stride
  // The panel kernel reads rows in pairs, so an odd number of rows needs one more address and result.
  const outAt = addressesAt + maxOthers + 1
  const { buffer, kernels } = openKernels((outAt + (maxOthers + 1) * (panels > 0 ? PANEL : 1)) * BYTES)
  const heap = new Float32Array(buffer)
  const addresses = new Int32Array(buffer, addressesAt * BYTES, maxOthers + 1)
  const others = new Int32Array(maxOthers)
  const out = heap.subarray(outAt)
  const queries = heap.subarray(panelsAt)
  if (stride === dims) heap.set(vectors.subarray(0, rows * dims))
  else for (let r = 0; r < rows; r++) heap.set(vectors.subarray(r * dims, (r + 1) * dims), r * stride)
  const writeAddresses = (count: number) => {
    for (let i = 0; i < count; i++) addresses[i] = others[i]! * stride * BYTES
    if (count > 0) addresses[count] = addresses[count - 1]!
  }
  return {
    heap,
    stride,
    others,
    run: (row, count) => {
      writeAddresses(count)
      if (count > 0)
        kernels.multiplyRow(row * stride * BYTES, addressesAt * BYTES, outAt * BYTES, count, stride * BYTES)
      return out
    },
    setQuery: (slot, row) => interleave(queries, slot, stride, heap, row * stride, dims),
    runPanel: (panel, count) => {
      writeAddresses(count)
      const panelAt = (panelsAt + panel * PANEL * stride) * BYTES
      if (count > 0)
        kernels.multiplyPanel(panelAt, addressesAt * BYTES, outAt * BYTES, Math.ceil(count / 2), stride * BYTES)
      return out
    },
  }
}
