// Dot products of float32 vectors. A v128 register holds four numbers, so one instruction multiplies four.

/** Adds up the four numbers of a register. */
function sumLanes(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 2) + (f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 3))
}

/**
 * Multiplies four query vectors with rows, two rows at a time: out[4 · row + query] = query · row.
 *
 * Eight sums, two rows and a query take 11 of the 16 registers of x86. With more, or with the loop unrolled, the
 * compiler moves sums to memory.
 *
 * @param panel address of the four queries, interleaved: four numbers of query 0, four of query 1, … then the next four
 * of query 0
 * @param rowAddresses address of a list with the addresses of the rows
 * @param out address of the products, float32
 * @param rowPairs half the number of rows, at least 1
 * @param rowBytes bytes of one row, a multiple of 16 and at least 16; the rest of a row is zeros
 */
export function multiplyPanel(panel: usize, rowAddresses: usize, out: usize, rowPairs: i32, rowBytes: usize): void {
  do {
    let queries = panel
    let rowA: usize = load<u32>(rowAddresses)
    let rowB: usize = load<u32>(rowAddresses, 4)
    const end = rowA + rowBytes
    let a0 = f32x4.splat(0)
    let a1 = f32x4.splat(0)
    let a2 = f32x4.splat(0)
    let a3 = f32x4.splat(0)
    let b0 = f32x4.splat(0)
    let b1 = f32x4.splat(0)
    let b2 = f32x4.splat(0)
    let b3 = f32x4.splat(0)
    do {
      const a = v128.load(rowA)
      const b = v128.load(rowB)
      let query = v128.load(queries)
      a0 = f32x4.add(a0, f32x4.mul(query, a))
      b0 = f32x4.add(b0, f32x4.mul(query, b))
      query = v128.load(queries, 16)
      a1 = f32x4.add(a1, f32x4.mul(query, a))
      b1 = f32x4.add(b1, f32x4.mul(query, b))
      query = v128.load(queries, 32)
      a2 = f32x4.add(a2, f32x4.mul(query, a))
      b2 = f32x4.add(b2, f32x4.mul(query, b))
      query = v128.load(queries, 48)
      a3 = f32x4.add(a3, f32x4.mul(query, a))
      b3 = f32x4.add(b3, f32x4.mul(query, b))
      queries += 64
      rowA += 16
      rowB += 16
    } while (rowA < end)
    store<f32>(out, sumLanes(a0))
    store<f32>(out, sumLanes(a1), 4)
    store<f32>(out, sumLanes(a2), 8)
    store<f32>(out, sumLanes(a3), 12)
    store<f32>(out, sumLanes(b0), 16)
    store<f32>(out, sumLanes(b1), 20)
    store<f32>(out, sumLanes(b2), 24)
    store<f32>(out, sumLanes(b3), 28)
    rowAddresses += 8
    out += 32
  } while (--rowPairs)
}

/**
 * Multiplies one vector with rows: out[i] = query · row i. Two sums run in parallel, because an addition has to wait for
 * the one before it.
 *
 * @param query address of the vector
 * @param rowAddresses address of a list with the addresses of the rows
 * @param out address of the products, float32
 * @param rows number of rows, at least 1
 * @param rowBytes bytes of the vector and of a row, a multiple of 32 and at least 32; the rest is zeros
 */
export function multiplyRow(query: usize, rowAddresses: usize, out: usize, rows: i32, rowBytes: usize): void {
  const end = query + rowBytes
  do {
    let a = query
    let b: usize = load<u32>(rowAddresses)
    let even = f32x4.splat(0)
    let odd = f32x4.splat(0)
    do {
      even = f32x4.add(even, f32x4.mul(v128.load(a), v128.load(b)))
      odd = f32x4.add(odd, f32x4.mul(v128.load(a, 16), v128.load(b, 16)))
      a += 32
      b += 32
    } while (a < end)
    store<f32>(out, sumLanes(f32x4.add(even, odd)))
    rowAddresses += 4
    out += 4
  } while (--rows)
}
