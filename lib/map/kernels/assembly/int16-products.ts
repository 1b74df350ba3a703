// Dot products of int16 vectors, twice as many per instruction as of float32.

/** Rows that are packed together and multiplied at a time. Two numbers of each of them fill two registers. */
const PACK_ROWS: usize = 8
const PACK_STEP_BYTES: usize = 32
/** Bytes of a record: four words of header, then 4 · 8 products. */
const RECORD_BYTES: usize = 144

/**
 * Multiplies four query rows with rows, eight rows at a time, and writes a record of all 32 products wherever at least
 * one product reaches the lower of the thresholds of its two rows.
 *
 * A record is the number of the first of the eight rows (int32), three unused words, and 32 products (float32): first
 * those of rows 0 to 3, query by query, then those of rows 4 to 7.
 *
 * Rows are packed by eights: numbers 0 and 1 of each of eight rows, then numbers 2 and 3 of each, and so on.
 * i32x4.dot_i16x8_s multiplies two numbers of a query, repeated four times, with two numbers of each of four rows and
 * adds them pairwise, so that one instruction continues four sums.
 *
 * @param queries address of the first two numbers of the four query rows, within their pack
 * @param rows address of the packed rows, from row `first` on
 * @param packBytes bytes of eight packed rows
 * @param queryThresholds address of the thresholds of the queries, float32
 * @param rowThresholds address of the thresholds of the rows, float32, from row `first` on
 * @param out address of the records
 * @param first number of the first row
 * @param end number of the row after the last
 * @returns the address after the last record
 */
export function findPairs(
  queries: usize,
  rows: usize,
  packBytes: usize,
  queryThresholds: usize,
  rowThresholds: usize,
  out: usize,
  first: u32,
  end: u32,
): usize {
  do {
    let query = queries
    const packEnd = rows + packBytes
    let a0 = i32x4.splat(0)
    let a1 = i32x4.splat(0)
    let a2 = i32x4.splat(0)
    let a3 = i32x4.splat(0)
    let b0 = i32x4.splat(0)
    let b1 = i32x4.splat(0)
    let b2 = i32x4.splat(0)
    let b3 = i32x4.splat(0)
    do {
      const a = v128.load(rows)
      const b = v128.load(rows, 16)
      let factor = v128.load32_splat(query)
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(factor, a))
      b0 = i32x4.add(b0, i32x4.dot_i16x8_s(factor, b))
      factor = v128.load32_splat(query, 4)
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(factor, a))
      b1 = i32x4.add(b1, i32x4.dot_i16x8_s(factor, b))
      factor = v128.load32_splat(query, 8)
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(factor, a))
      b2 = i32x4.add(b2, i32x4.dot_i16x8_s(factor, b))
      factor = v128.load32_splat(query, 12)
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(factor, a))
      b3 = i32x4.add(b3, i32x4.dot_i16x8_s(factor, b))
      query += PACK_STEP_BYTES
      rows += PACK_STEP_BYTES
    } while (rows < packEnd)
    a0 = f32x4.convert_i32x4_s(a0)
    a1 = f32x4.convert_i32x4_s(a1)
    a2 = f32x4.convert_i32x4_s(a2)
    a3 = f32x4.convert_i32x4_s(a3)
    b0 = f32x4.convert_i32x4_s(b0)
    b1 = f32x4.convert_i32x4_s(b1)
    b2 = f32x4.convert_i32x4_s(b2)
    b3 = f32x4.convert_i32x4_s(b3)
    const thresholdsA = v128.load(rowThresholds)
    const thresholdsB = v128.load(rowThresholds, 16)
    let queryThreshold = v128.load32_splat(queryThresholds)
    let hits = v128.or(
      f32x4.ge(a0, f32x4.pmin(thresholdsA, queryThreshold)),
      f32x4.ge(b0, f32x4.pmin(thresholdsB, queryThreshold)),
    )
    queryThreshold = v128.load32_splat(queryThresholds, 4)
    hits = v128.or(hits, f32x4.ge(a1, f32x4.pmin(thresholdsA, queryThreshold)))
    hits = v128.or(hits, f32x4.ge(b1, f32x4.pmin(thresholdsB, queryThreshold)))
    queryThreshold = v128.load32_splat(queryThresholds, 8)
    hits = v128.or(hits, f32x4.ge(a2, f32x4.pmin(thresholdsA, queryThreshold)))
    hits = v128.or(hits, f32x4.ge(b2, f32x4.pmin(thresholdsB, queryThreshold)))
    queryThreshold = v128.load32_splat(queryThresholds, 12)
    hits = v128.or(hits, f32x4.ge(a3, f32x4.pmin(thresholdsA, queryThreshold)))
    hits = v128.or(hits, f32x4.ge(b3, f32x4.pmin(thresholdsB, queryThreshold)))
    if (v128.any_true(hits)) {
      store<u32>(out, first)
      v128.store(out, a0, 16)
      v128.store(out, a1, 32)
      v128.store(out, a2, 48)
      v128.store(out, a3, 64)
      v128.store(out, b0, 80)
      v128.store(out, b1, 96)
      v128.store(out, b2, 112)
      v128.store(out, b3, 128)
      out += RECORD_BYTES
    }
    first += <u32>PACK_ROWS
    rowThresholds += 4 * PACK_ROWS
  } while (first < end)
  return out
}
